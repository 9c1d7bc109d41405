import BarlineDSP
import BarlineTime

/// A voice that plays a pad. It does not follow the tempo: it plays at its own rate, to its end or until it is faded
/// out.
struct PadVoice: BitwiseCopyable, @unchecked Sendable {
    let content: UnsafePointer<PadContent>
    let pad: Int
    let gainLeft: Float
    let gainRight: Float
    /// The number of voices that began before this one.
    let order: Int
    private(set) var anchorFrame: FrameTime
    private(set) var anchor = SourcePosition(rawValue: 0)
    private(set) var rate = 1.0
    /// Falls to 0 at the end of the sample, or when the voice is faded out.
    private(set) var envelope = Ramp(constant: 1)
    /// The first frame after its end.
    private(set) var end: FrameTime
    /// Whether it is fading out.
    private(set) var isLeaving = false

    @_noLocks init(
        _ content: UnsafePointer<PadContent>, pad: Int, velocity: Double, order: Int, at frame: FrameTime,
        sampleRate: SampleRate, fadeFrames: Int64
    ) {
        self.content = content
        self.pad = pad
        // The square of the velocity, as is usual for MIDI sound modules.
        let level = 1 - content.pointee.sensitivity * (1 - Float(velocity))
        gainLeft = content.pointee.gainLeft * level * level
        gainRight = content.pointee.gainRight * level * level
        self.order = order
        anchorFrame = frame
        end = frame
        aim(at: sampleRate, fadeFrames: fadeFrames)
    }

    /// Continues from `frame` at another sample rate.
    @_noLocks mutating func changeSampleRate(to sampleRate: SampleRate, at frame: FrameTime, fadeFrames: Int64) {
        anchor = position(at: frame)
        anchorFrame = frame
        if isLeaving {
            rate = content.pointee.rate / sampleRate.hertz
        } else {
            aim(at: sampleRate, fadeFrames: fadeFrames)
        }
    }

    /// Plays to the sample's end, fading out the last frames, because it may have been cut off.
    @_noLocks private mutating func aim(at sampleRate: SampleRate, fadeFrames: Int64) {
        rate = content.pointee.rate / sampleRate.hertz
        let left = (Double(content.pointee.region.length) - anchor.frames) / rate
        end = anchorFrame + FrameRounding.atOrAfter(left)
        let length = end - anchorFrame < fadeFrames ? end - anchorFrame : fadeFrames
        envelope = Ramp(from: 1, to: 0, start: end - length, frames: length)
    }

    /// Fades out from `frame` on.
    @_noLocks mutating func leave(at frame: FrameTime, fadeFrames: Int64) {
        if isLeaving || end - frame <= fadeFrames { return }
        envelope = Ramp(from: 1, to: 0, start: frame, frames: fadeFrames)
        end = frame + fadeFrames
        isLeaving = true
    }

    /// Whether the invariants hold: it moves forward to its end, and is silent there.
    @_noLocks func checkInvariants() -> Bool {
        rate > 0 && rate < .infinity && end >= anchorFrame && envelope.target == 0
    }

    var step: SourcePosition { @_noLocks get { SourcePosition(rate) } }

    @_noLocks func position(at frame: FrameTime) -> SourcePosition {
        anchor.advanced(by: step, times: frame - anchorFrame)
    }
}
