import BarlineDSP
import BarlineTime

/// A voice that plays a click. It does not follow the tempo: it plays at its own rate to its end.
struct ClickVoice: BitwiseCopyable, @unchecked Sendable {
    /// The number of clicks that can sound at once: sixty-fourth notes at 999 BPM overlap fifty-four times.
    static var poolCount: Int { @_noLocks get { 128 } }

    let content: UnsafePointer<ClickContent>
    let region: SourceRegion
    let gain: Float
    private(set) var anchorFrame: FrameTime
    private(set) var anchor: SourcePosition
    private(set) var rate: Double
    /// The first frame after its end.
    private(set) var end: FrameTime

    @_noLocks init(
        _ content: UnsafePointer<ClickContent>, isAccent: Bool, gain: Float, at frame: FrameTime,
        sampleRate: SampleRate
    ) {
        self.content = content
        region = isAccent ? content.pointee.accent : content.pointee.beat
        self.gain = gain
        anchorFrame = frame
        anchor = SourcePosition(rawValue: 0)
        rate = 1
        end = frame
        aim(at: sampleRate)
    }

    /// Continues from `frame` at another sample rate.
    @_noLocks mutating func changeSampleRate(to sampleRate: SampleRate, at frame: FrameTime) {
        anchor = position(at: frame)
        anchorFrame = frame
        aim(at: sampleRate)
    }

    @_noLocks private mutating func aim(at sampleRate: SampleRate) {
        rate = content.pointee.sourceRate / sampleRate.hertz
        let left = (Double(region.length) - anchor.frames) / rate
        end = anchorFrame + FrameRounding.atOrAfter(left)
    }

    /// Whether the invariants hold: it plays forwards, from its click's first frame on.
    @_noLocks func checkInvariants() -> Bool { rate > 0 && anchor.rawValue >= 0 }

    var step: SourcePosition { @_noLocks get { SourcePosition(rate) } }

    @_noLocks func position(at frame: FrameTime) -> SourcePosition {
        anchor.advanced(by: step, times: frame - anchorFrame)
    }
}
