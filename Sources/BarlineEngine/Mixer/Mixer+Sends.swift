import BarlineDSP
import BarlineTime

/// The sends of channels to buses, one for each pair of them. A channel whose sends are all at 0 costs nothing;
/// otherwise every operation on it is O(buses).
extension Mixer {
    /// The send of a channel to a bus.
    @_noLocks func send(of channel: Int, to bus: Int) -> UnsafeMutablePointer<Send> {
        assert(bus >= 0 && bus < busCount, "the bus is one of the mixer's")
        return sends + channel * busCount + bus
    }

    /// Ramps the gain of a send.
    @_noLocks mutating func setSend(
        of channel: Int, to bus: Int, gain: Double, at now: FrameTime, frames: Int64, _ ramp: ParameterRamp
    ) {
        let send = send(of: channel, to: bus)
        send.pointee.gain.set(gain, at: now, frames: frames, ramp)
        strips[channel].hasSends = true
        isMoving = isMoving || send.pointee.gain.isMoving
    }

    /// Starts the next ramp segment of every moving send of a channel that is due now; returns whether one still moves.
    @_noLocks func advanceSends(of channel: Int, at now: FrameTime) -> Bool {
        var isMoving = false
        for bus in 0..<busCount {
            let send = send(of: channel, to: bus)
            if send.pointee.gain.isMoving, send.pointee.gain.segmentEnd <= now {
                send.pointee.gain.advanceRamps(at: now)
            }
            isMoving = isMoving || send.pointee.gain.isMoving
        }
        return isMoving
    }

    /// The next frame at which a ramp segment of a channel's sends starts; or the end of time.
    @_noLocks func nextSendBoundary(of channel: Int) -> FrameTime {
        var next = FrameTime(rawValue: .max)
        for bus in 0..<busCount where send(of: channel, to: bus).pointee.gain.isMoving {
            next = earlier(next, send(of: channel, to: bus).pointee.gain.segmentEnd)
        }
        return next
    }

    /// Continues at another sample rate, `ratio` times the former.
    @_noLocks func stretchSends(of channel: Int, at now: FrameTime, by ratio: Double) {
        for bus in 0..<busCount { send(of: channel, to: bus).pointee.stretch(at: now, by: ratio) }
    }

    /// Adds a channel's signal before its fader to the buses that it is sent to from there.
    @_noLocks func sendBeforeFader(channel: Int, _ signal: StereoBuffer, _ slice: BlockSlice) {
        for bus in 0..<busCount {
            let send = send(of: channel, to: bus).pointee
            if send.gain.isSilent(at: slice.start) || isZero(send.preFaderShare, at: slice.start) { continue }
            let audibility = strips[channel].audibility
            add(signal, toBus: bus, at: send.gain.level, send.preFaderShare, audibility, slice)
        }
    }

    /// Adds a channel's signal after its fader to the buses that it is sent to from there, and notes whether it still
    /// is sent anywhere.
    @_noLocks func sendAfterFader(channel: Int, _ signal: StereoBuffer, _ slice: BlockSlice) {
        var hasSends = false
        for bus in 0..<busCount {
            let send = send(of: channel, to: bus).pointee
            if send.gain.isSilent(at: slice.start) { continue }
            hasSends = true
            let share = send.postFaderShare
            if isZero(share, at: slice.start) { continue }
            add(signal, toBus: bus, at: send.gain.level, share, Ramp(constant: 1), slice)
        }
        strips[channel].hasSends = hasSends
    }

    @_noLocks private func isZero(_ ramp: Ramp, at frame: FrameTime) -> Bool {
        ramp.target == 0 && ramp.isSettled(at: frame)
    }

    /// Adds a signal at the product of three gains, which is the same to the bit whether they are constant or not.
    @_noLocks private func add(
        _ signal: StereoBuffer, toBus bus: Int, at first: Ramp, _ second: Ramp, _ third: Ramp, _ slice: BlockSlice
    ) {
        let (sum, start) = (sum(ofBus: bus), slice.start)
        if first.isSettled(at: start), second.isSettled(at: start), third.isSettled(at: start) {
            sum.add(signal, gain: first.target * second.target * third.target, slice.count)
        } else {
            sum.add(signal, gains: first, second, third, at: start, slice.count)
        }
    }

    /// Whether the invariants of a channel's sends hold: what sounds or moves is known to the strip and the mixer.
    @_noLocks func checkSendInvariants(of channel: Int) -> Bool {
        for bus in 0..<busCount {
            let send = send(of: channel, to: bus).pointee
            if !send.checkInvariants() || send.gain.isMoving && !isMoving { return false }
            if send.gain.isMoving || send.gain.level.target > 0, !strips[channel].hasSends { return false }
        }
        return true
    }
}
