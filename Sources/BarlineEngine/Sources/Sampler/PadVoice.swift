import BarlineDSP
import BarlineTime

/// One sounding pad. The tempo does not reach it: it plays at its own rate, to its end or until it is faded out.
struct PadVoice: BitwiseCopyable, @unchecked Sendable {
    let content: UnsafePointer<PadContent>
    let pad: Int
    let gainLeft: Float
    let gainRight: Float
    /// Voices that began before this one.
    let order: Int
    private(set) var anchorFrame: FrameTime
    private(set) var anchor = SourcePosition(rawValue: 0)
    private(set) var rate = 1.0
    /// Falls to 0 where the sample ends, or where the voice is faded out.
    private(set) var envelope = Ramp(constant: 1)
    /// The first frame at which it is over.
    private(set) var end: FrameTime
    /// Whether it fades out.
    private(set) var isLeaving = false

    @_noLocks init(
        _ content: UnsafePointer<PadContent>, pad: Int, velocity: Double, order: Int, at frame: FrameTime,
        sampleRate: SampleRate, fadeFrames: Int64
    ) {
        self.content = content
        self.pad = pad
        // The square of the velocity, as MIDI's sound modules have it.
        let level = 1 - content.pointee.sensitivity * (1 - Float(velocity))
        gainLeft = content.pointee.gainLeft * level * level
        gainRight = content.pointee.gainRight * level * level
        self.order = order
        anchorFrame = frame
        end = frame
        aim(at: sampleRate, fadeFrames: fadeFrames)
    }

    /// Goes on from `frame` at another sample rate.
    @_noLocks mutating func changeSampleRate(to sampleRate: SampleRate, at frame: FrameTime, fadeFrames: Int64) {
        anchor = position(at: frame)
        anchorFrame = frame
        if isLeaving {
            rate = content.pointee.rate / sampleRate.hertz
        } else {
            aim(at: sampleRate, fadeFrames: fadeFrames)
        }
    }

    /// Plays to the sample's end, of which the last frames are faded: it may have been cut off while it sounded.
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

    /// Whether it moves on to its end, and falls silent there.
    @_noLocks func checkInvariants() -> Bool {
        rate > 0 && rate < .infinity && end >= anchorFrame && envelope.target == 0
    }

    var step: SourcePosition { @_noLocks get { SourcePosition(rate) } }

    @_noLocks func position(at frame: FrameTime) -> SourcePosition {
        anchor.advanced(by: step, times: frame - anchorFrame)
    }
}
