import BarlineTime
import CRealtime

/// The trajectory of a time-stretching voice: its position in the source at each frame, for a known stretch of the
/// timeline.
///
/// Positions continue through the passes of a loop: pass `k` begins at `k` lengths.
package struct StretchCourse: BitwiseCopyable, Sendable {
    private let anchorFrame: Int64
    private let anchor: SourcePosition
    private let step: SourcePosition
    private let rate: Double
    private let segment: TempoSegment
    private let originBeat: Double
    /// Source frames per quarter note; 0 if the rate is constant.
    private let framesPerBeat: Double
    private let warp: WarpMap

    /// Creates a course of constant rate: `step` source frames per frame, from `anchor` at `anchorFrame` on.
    @_noLocks package init(
        anchorFrame: FrameTime, anchor: SourcePosition, step: SourcePosition, rate: Double, segment: TempoSegment
    ) {
        self.anchorFrame = anchorFrame.rawValue
        self.anchor = anchor
        self.step = step
        self.rate = rate
        self.segment = segment
        originBeat = 0
        framesPerBeat = 0
        warp = .none
    }

    /// Creates the course of a ramping tempo, or of beats of unequal length: `framesPerBeat` source frames per quarter
    /// note from `originBeat` on, or what `warp` specifies instead.
    @_noLocks package init(segment: TempoSegment, originBeat: Beat, framesPerBeat: Double, warp: WarpMap) {
        anchorFrame = 0
        anchor = SourcePosition(rawValue: 0)
        step = SourcePosition(rawValue: 0)
        rate = 0
        self.segment = segment
        self.originBeat = originBeat.rawValue
        self.framesPerBeat = framesPerBeat
        self.warp = warp
    }

    /// The position at `frame`, in source frames.
    @_noLocks package func position(at frame: Int64) -> Double {
        if framesPerBeat == 0 { return anchor.advanced(by: step, times: frame - anchorFrame).frames }
        let beat = segment.beat(at: FrameTime(rawValue: frame)).rawValue - originBeat
        return warp.isNone ? beat * framesPerBeat : warp.position(atBeat: beat)
    }

    /// Rounds a position to 2⁻¹⁴ frames, so that positions that differ by rounding errors only compare equal.
    @_noLocks static func settled(_ position: Double) -> Double { rt_floor(position * 0x1p14 + 0.5) * 0x1p-14 }

    /// The frame nearest to where `position` is reached. A position between two frames rounds to the same one in every
    /// pass of the loop, whatever the rounding errors.
    @_noLocks package func frame(of position: Double) -> Int64 {
        var exact = Double(anchorFrame) + (position - anchor.frames) / rate
        if framesPerBeat != 0 {
            let beat = warp.isNone ? position / framesPerBeat : warp.beat(atPosition: position)
            exact = segment.exactFrame(of: Beat(rawValue: originBeat + beat))
        }
        return Int64(rt_floor(StretchCourse.settled(exact) + 0.5))
    }

    /// Whether it continues at `rate` source frames per frame from `frame` on, up to where the length of a beat
    /// changes.
    @_noLocks func keeps(_ rate: Double, at frame: Int64) -> Bool {
        var own = self.rate
        if framesPerBeat != 0 {
            if warp.isNone || segment.rampBeats > 0 { return false }
            let beat = segment.beat(at: FrameTime(rawValue: frame)).rawValue - originBeat
            own = warp.slope(atBeat: beat) * segment.endTempo.beatsPerMinute / segment.framesPerMinute
        }
        return own - rate < 1e-9 && rate - own < 1e-9
    }
}
