import BarlineDSP

/// What displays are shown of the mixer.
extension Mixer {
    /// Publishes the strips of the channels in use, the buses and their limiters.
    @_noLocks func publish(to board: StateBoard) {
        for channel in 0..<channelCount { publish(channel: channel, to: board) }
        for bus in 0..<busCount { publish(bus: bus, to: board) }
        board.set(StateLayout.effects, areEffectsActive ? Int64(1) : Int64(0))
    }

    @_noLocks private func publish(channel: Int, to board: StateBoard) {
        let word = StateLayout.channel(channel, tracks: layout.trackCount, buses: busCount)
        let flags: Int64 = (strips[channel].isMuted ? 1 : 0) + (strips[channel].isSoloed ? 2 : 0)
        board.set(word + StateLayout.Channel.strip, flags)
        let reading = strips[channel].meter.reading
        board.set(word + StateLayout.Channel.peak, reading.peakLeft, reading.peakRight)
        board.set(word + StateLayout.Channel.rms, reading.rmsLeft, reading.rmsRight)
    }

    @_noLocks private func publish(bus: Int, to board: StateBoard) {
        let word = StateLayout.bus(bus, tracks: layout.trackCount)
        let reading = buses[bus].meter.reading
        board.set(word + StateLayout.Bus.peak, reading.peakLeft, reading.peakRight)
        board.set(word + StateLayout.Bus.rms, reading.rmsLeft, reading.rmsRight)
        if limiterCount == 0 { return }
        let limiter = limiters[bus].takeReading()
        board.set(word + StateLayout.Bus.overs, limiter.overCount)
        board.set(word + StateLayout.Bus.gain, limiter.gain, limiter.lowestGain)
        board.set(word + StateLayout.Bus.highest, limiter.peak, 0)
    }
}
