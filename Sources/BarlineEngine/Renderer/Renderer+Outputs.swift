import BarlineDSP

/// The last stage of a bus, on its way to a device.
extension Renderer {
    @_noLocks func performOutputs(_ action: Action) {
        switch action {
        case .limiter(let isOn, let ceiling):
            for bus in 0..<limiterCount { limiters[bus].set(isOn: isOn, ceiling: ceiling) }
        case .resetOvers:
            for bus in 0..<limiterCount { limiters[bus].resetReading() }
        default: break
        }
    }

    /// Publishes what a bus's lights show.
    @_noLocks func publish(limiter bus: Int) {
        let reading = limiters[bus].takeReading()
        let word = StateLayout.bus(bus, tracks: trackCount)
        link.board.set(word + StateLayout.Bus.overs, reading.overCount)
        link.board.set(word + StateLayout.Bus.gain, reading.gain, reading.lowestGain)
        link.board.set(word + StateLayout.Bus.highest, reading.peak, 0)
    }
}
