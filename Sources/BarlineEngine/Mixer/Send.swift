import BarlineDSP
import BarlineTime

/// A channel's send to a bus: the channel at a level of the send's own, beside what goes to the channel's output. For
/// the audio thread.
///
/// Post-fader, a send follows the channel's fader and pan; pre-fader, it takes the signal before both. Either is taken
/// after the channel's effects, and silenced by its mute and by the solo of others.
struct Send: BitwiseCopyable, Sendable {
    var gain = SegmentedGain(0)
    /// The share that is taken before the fader; the rest is taken after it.
    private(set) var preFaderShare = Ramp(constant: 0)

    @_noLocks init() {}

    /// The share that is taken after the fader.
    var postFaderShare: Ramp {
        @_noLocks get {
            Ramp(
                from: 1 - preFaderShare.origin, to: 1 - preFaderShare.target, start: preFaderShare.start,
                frames: preFaderShare.frames)
        }
    }

    /// Takes the signal before or after the fader from `frame` on, with a crossfade.
    @_noLocks mutating func setPreFader(_ isOn: Bool, at frame: FrameTime, fadeFrames: Int64) {
        preFaderShare = preFaderShare.redirected(to: isOn ? 1 : 0, at: frame, frames: fadeFrames)
    }

    /// Continues at another sample rate, `ratio` times the former.
    @_noLocks mutating func stretch(at frame: FrameTime, by ratio: Double) {
        gain.stretch(at: frame, by: ratio)
        preFaderShare = preFaderShare.stretched(at: frame, by: ratio)
    }

    /// Whether the invariants hold: the gain is valid, and it ends up on one side of the fader.
    @_noLocks func checkInvariants() -> Bool {
        gain.checkInvariants() && (preFaderShare.target == 0 || preFaderShare.target == 1)
    }
}
