import BarlineTime

/// Recording strips.
extension RenderContext {
    /// Begins or ends to copy strips, from the present frame on.
    @_noLocks mutating func exchange(_ taps: UnsafeMutablePointer<StripTaps>?) {
        if let old = mixer.recording { retire(UnsafeRawPointer(old)) }
        mixer.recording = taps
        guard let taps else { return }
        for tap in 0..<taps.pointee.count where taps.pointee.taps[tap].input >= 0 {
            let latency = capture.latency(of: taps.pointee.taps[tap].input)
            taps.pointee.taps[tap].progress.pointee.latency.store(latency, ordering: .relaxed)
        }
        taps.pointee.begin(at: now)
    }

    /// Copies what the inputs have captured in the slice that was just rendered, and ends the slice for all strips.
    @_noLocks func finishTaps(_ count: Int) {
        guard let taps = mixer.recording else { return }
        for tap in 0..<taps.pointee.count {
            let input = taps.pointee.taps[tap].input
            guard input >= 0, capture.isOpen(input) else { continue }
            capture.read(input, from: now, count: count, left: scratch.voiceLeft, right: scratch.voiceRight)
            taps.pointee.write(tap: tap, scratch.source, count)
        }
        taps.pointee.finish(count)
    }
}
