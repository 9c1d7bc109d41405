import BarlineDSP
import BarlineTime

/// All open inputs on the audio thread, with the latest frames of each.
///
/// Capture never stops: an open input is written to its ``CaptureRing`` on every frame, audible or not, and a recording
/// refers to a range of it.
struct Capture: ~Copyable, @unchecked Sendable {
    private let inputs: UnsafeMutablePointer<InputState>
    let inputCapacity: Int
    /// The frame after the last one that was captured.
    private(set) var end = FrameTime(rawValue: 0)
    /// The same for inputs that record the mix: behind ``end`` by the slice that is still being mixed.
    private var mixedEnd = FrameTime(rawValue: 0)

    /// One input.
    private struct InputState: BitwiseCopyable {
        /// Its memory; `nil` if it is not open.
        var ring: UnsafeMutablePointer<CaptureRing>?
        /// Its latency in frames: how long before its delivery a frame was played.
        var latency: Int64
        var gain: Ramp
        var meter = Meter()
        var source = InputSource.device
        /// What it captures in place of what the device gives; `nil` for that.
        var signal: UnsafeMutablePointer<SignalReader>?

        @_noLocks init() {
            ring = nil
            signal = nil
            latency = 0
            gain = Ramp(constant: 1)
        }
    }

    init(inputCapacity: Int) {
        self.inputCapacity = inputCapacity
        inputs = .allocate(capacity: max(1, inputCapacity))
        inputs.initialize(repeating: InputState(), count: max(1, inputCapacity))
    }

    deinit { inputs.deallocate() }

    /// Captures the next `count` frames of a block.
    @_noLocks mutating func write(
        _ block: AudioBlock, offset: Int, count: Int, at now: FrameTime, sampleRate: SampleRate
    ) {
        for index in 0..<inputCapacity {
            guard let ring = inputs[index].ring, inputs[index].source.isDevice else { continue }
            var left: UnsafePointer<Float>?
            var right: UnsafePointer<Float>?
            var isTaken = false
            if let signal = inputs[index].signal {
                signal.pointee.read(at: now, count: count, sampleRate: sampleRate)
                left = UnsafePointer(signal.pointee.left)
                right = UnsafePointer(signal.pointee.right)
                isTaken = signal.pointee.isTaken
            } else if !block.isPreroll, let channels = block.inputs {
                if 2 * index < block.inputCount, let channel = channels[2 * index] { left = channel + offset }
                right = left
                if 2 * index + 1 < block.inputCount, let channel = channels[2 * index + 1] { right = channel + offset }
            }
            ring.pointee.write(left: left, right: right, at: now, count: count)
            if !isTaken { applyGain(of: index, ring, at: now, count: count) }
        }
        end = now + Int64(count)
        assert(checkInvariants(), "every input has memory of its own")
    }

    /// Captures the mix of a slice.
    @_noLocks mutating func write(_ mixer: borrowing Mixer, _ slice: BlockSlice) {
        for index in 0..<inputCapacity {
            guard let ring = inputs[index].ring else { continue }
            let sound: StereoBuffer
            switch inputs[index].source {
            case .device: continue
            case .track(let track): sound = mixer.tap(ofTrack: track.rawValue)
            case .bus(let bus): sound = mixer.sum(ofBus: bus.rawValue)
            }
            ring.pointee.write(left: sound.left, right: sound.right, at: slice.start, count: slice.count)
            applyGain(of: index, ring, at: slice.start, count: slice.count)
            let levels = ring.pointee.levels(at: slice.start, count: slice.count)
            inputs[index].meter.update(left: levels.left, right: levels.right, slice.ballistics)
        }
        mixedEnd = slice.start + Int64(slice.count)
    }

    /// Captures silence in place of frames that are not mixed.
    @_noLocks mutating func writeUnmixed(count: Int, at now: FrameTime) {
        for index in 0..<inputCapacity {
            guard let ring = inputs[index].ring, !inputs[index].source.isDevice else { continue }
            ring.pointee.write(left: nil, right: nil, at: now, count: count)
        }
        mixedEnd = now + Int64(count)
    }

    /// The frame after the last captured one of an input.
    @_noLocks func end(of input: Int) -> FrameTime { inputs[input].source.isDevice ? end : mixedEnd }

    /// Whether the invariants hold: no two inputs write to the same memory, and each gain is 0 or more.
    /// O(inputs²).
    @_noLocks func checkInvariants() -> Bool {
        for index in 0..<inputCapacity {
            guard let ring = inputs[index].ring else { continue }
            let gain = inputs[index].gain.target
            if !(gain >= 0) { return false }
            for other in 0..<index {
                if let memory = inputs[other].ring, memory == ring { return false }
            }
        }
        return true
    }

    @_noLocks private func applyGain(
        of index: Int, _ ring: UnsafeMutablePointer<CaptureRing>, at now: FrameTime, count: Int
    ) {
        let gain = inputs[index].gain
        if gain.isSettled(at: now) {
            if gain.target != 1 { ring.pointee.scale(by: gain.target, at: now, count: count) }
            return
        }
        for frame in 0..<count {
            ring.pointee.scale(by: gain.value(at: now + Int64(frame)), at: now + Int64(frame), count: 1)
        }
    }

    /// Updates the meters with the captured frames of a slice.
    @_noLocks func measure(_ slice: BlockSlice) {
        for index in 0..<inputCapacity {
            guard let ring = inputs[index].ring, inputs[index].source.isDevice else { continue }
            let levels = ring.pointee.levels(at: slice.start, count: slice.count)
            inputs[index].meter.update(left: levels.left, right: levels.right, slice.ballistics)
        }
    }

    /// The meter reading of an input: silence if it is not open.
    @_noLocks func reading(of input: Int) -> MeterReading {
        isOpen(input)
            ? inputs[input].meter.reading : MeterReading(peakLeft: 0, peakRight: 0, rmsLeft: 0, rmsRight: 0)
    }

    /// Copies `count` frames of an input from `frame` on; if it is not open, `left` and `right` stay unchanged.
    @_noLocks func read(
        _ input: Int, from frame: FrameTime, count: Int, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) {
        guard let ring = inputs[input].ring else { return }
        ring.pointee.read(from: frame, count: count, end: end(of: input), left: left, right: right)
    }

    /// Whether an input is open.
    @_noLocks func isOpen(_ input: Int) -> Bool {
        if let _ = inputs[input].ring { return true }
        return false
    }

    /// The latency of an input in frames: how long before its delivery a frame was played; 0 for one that records the
    /// mix.
    @_noLocks func latency(of input: Int) -> Int64 { inputs[input].source.isDevice ? inputs[input].latency : 0 }

    /// The source of an input.
    @_noLocks func source(of input: Int) -> InputSource { inputs[input].source }

    @_noLocks func setSource(_ source: InputSource, of input: Int) { inputs[input].source = source }

    /// Has an input capture a signal in place of what the device gives; `nil` for the device again.
    @_noLocks func setSignal(_ signal: UnsafeMutablePointer<SignalReader>?, of input: Int) {
        inputs[input].signal = signal
    }

    @_noLocks func setLatency(_ frames: Int64, of input: Int) { inputs[input].latency = frames }

    /// Sets the gain of an input from now on.
    @_noLocks func setGain(_ gain: Float, of input: Int, at now: FrameTime, fadeFrames: Int64) {
        inputs[input].gain = inputs[input].gain.redirected(to: gain, at: now, frames: fadeFrames)
    }

    /// Replaces or removes the memory of an input, and returns the former memory.
    @_noLocks func exchange(
        _ ring: UnsafeMutablePointer<CaptureRing>?, of input: Int
    ) -> UnsafeMutablePointer<CaptureRing>? {
        let old = inputs[input].ring
        inputs[input].ring = ring
        return old
    }
}
