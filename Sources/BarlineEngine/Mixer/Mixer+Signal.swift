import BarlineDSP
import BarlineTime
import CKernels

/// Rendering: channels are mixed into outputs.
extension Mixer {
    /// Clears the buses for a slice.
    @_noLocks func begin(_ slice: BlockSlice) {
        for bus in 0..<busCount { sum(ofBus: bus).clear(slice.count) }
    }

    /// Processes `signal` through a channel's effects and strip and adds it to the channel's bus, and to those that it
    /// is sent to.
    @_noLocks func mix(channel: Int, _ signal: StereoBuffer, _ slice: BlockSlice) {
        if chains[channel].count > 0 { process(signal, chain: channel, slice) }
        let strip = strips + channel
        let start = slice.start
        let count = slice.count
        let bus = strip.pointee.bus
        let fade = strip.pointee.busFade
        let (left, right) = (strip.pointee.levelLeft, strip.pointee.levelRight)
        let isTapped = strip.pointee.taps > 0
        if strip.pointee.hasSends { sendBeforeFader(channel: channel, signal, slice) }
        if fade.isSettled(at: start), left.isSettled(at: start), right.isSettled(at: start) {
            let sum = sum(ofBus: bus)
            if isTapped {
                let tap = tap(ofTrack: channel)
                dsp_write_scaled(signal.left, left.target, tap.left, count)
                dsp_write_scaled(signal.right, right.target, tap.right, count)
            }
            strip.pointee.meter.update(
                left: dsp_mix(signal.left, left.target, sum.left, count),
                right: dsp_mix(signal.right, right.target, sum.right, count), slice.ballistics)
        } else {
            signal.apply(left: left, right: right, at: start, count)
            strip.pointee.meter.update(left: signal.left, right: signal.right, slice.ballistics)
            if isTapped { tap(ofTrack: channel).set(signal, gain: 1, count) }
            if fade.isSettled(at: start) {
                sum(ofBus: bus).add(signal, count)
            } else {
                sum(ofBus: bus).add(signal, fade: fade, isLeaving: false, at: start, count)
                sum(ofBus: strip.pointee.previousBus).add(signal, fade: fade, isLeaving: true, at: start, count)
            }
        }
        if strip.pointee.hasSends { sendAfterFader(channel: channel, signal, slice) }
        let isRecorded = isRecorded(chain: channel)
        guard isRecorded || slice.hasChannelOutputs else { return }
        signal.apply(buses[bus].fader.level, at: start, count)
        if isRecorded { record(signal, chain: channel, count) }
        guard let separate = slice.block.channelOutputs else { return }
        signal.apply(presence, at: start, count)
        slice.copy(signal.left, to: separate[2 * channel])
        slice.copy(signal.right, to: separate[2 * channel + 1])
    }

    /// Lets the effects and the meter of a silent channel decay. `signal` is used for the silence.
    @_noLocks func rest(channel: Int, _ signal: StereoBuffer, _ slice: BlockSlice) {
        if !chains[channel].isIdle {
            signal.clear(slice.count)
            mix(channel: channel, signal, slice)
            return
        }
        if strips[channel].taps > 0 { tap(ofTrack: channel).clear(slice.count) }
        if let separate = slice.block.channelOutputs {
            slice.clear(separate[2 * channel])
            slice.clear(separate[2 * channel + 1])
        }
        if strips[channel].meter.isAtRest { return }
        signal.clear(slice.count)
        strips[channel].meter.update(left: signal.left, right: signal.right, slice.ballistics)
    }

    /// Processes the sums through the buses' effects and faders.
    @_noLocks func sumUp(_ slice: BlockSlice) {
        for bus in 0..<busCount { sumUp(bus: bus, slice) }
    }

    @_noLocks private func sumUp(bus: Int, _ slice: BlockSlice) {
        let sum = sum(ofBus: bus)
        let count = slice.count
        if chains[layout.count + bus].count > 0 { process(sum, chain: layout.count + bus, slice) }
        sum.apply(buses[bus].fader.level, at: slice.start, count)
        buses[bus].meter.update(left: sum.left, right: sum.right, slice.ballistics)
        if bus == 0, let tap { tap.write(left: sum.left, right: sum.right, frames: count) }
        record(sum, chain: layout.count + bus, count)
    }

    @_noLocks private func isRecorded(chain: Int) -> Bool {
        guard let recording else { return false }
        return recording.pointee.has(chain: chain)
    }

    @_noLocks private func record(_ signal: StereoBuffer, chain: Int, _ count: Int) {
        guard let recording else { return }
        recording.pointee.write(chain: chain, signal, count)
    }

    /// By how many frames the outputs are later than what is mixed.
    @_noLocks func latency(at sampleRate: SampleRate) -> Int {
        limiterCount > 0 ? Limiter.latency(at: sampleRate) : 0
    }

    /// Processes the sums through the limiters into the outputs.
    @_noLocks func finish(_ slice: BlockSlice) {
        for bus in 0..<busCount { finish(bus: bus, slice) }
    }

    @_noLocks private func finish(bus: Int, _ slice: BlockSlice) {
        let sum = sum(ofBus: bus)
        let count = slice.count
        // What is recorded goes on without a device.
        sum.apply(presence, at: slice.start, count)
        if limiterCount > 0 { limiters[bus].process(left: sum.left, right: sum.right, frames: count) }
        let block = slice.block
        if 2 * bus < block.outputCount { slice.copy(sum.left, to: block.outputs[2 * bus]) }
        if 2 * bus + 1 < block.outputCount { slice.copy(sum.right, to: block.outputs[2 * bus + 1]) }
    }
}
