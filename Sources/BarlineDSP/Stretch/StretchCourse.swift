import BarlineTime
import CRealtime

/// The course of a time-stretching voice: its position in the source at each frame, for all that is known of the timeline.
///
/// Positions are counted on through a loop's turns: turn `k` begins at `k` lengths.
package struct StretchCourse: BitwiseCopyable, Sendable {
    private let anchorFrame: Int64
    private let anchor: SourcePosition
    private let step: SourcePosition
    private let rate: Double
    private let segment: TempoSegment
    private let originBeat: Double
    /// Source frames a quarter note; 0 where the rate is constant.
    private let framesPerBeat: Double
    private let warp: WarpMap

    /// A course of constant rate: `step` source frames a frame from `anchor` at `anchorFrame` on.
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

    /// The course of a tempo that moves, or of beats that are not equally long: `framesPerBeat` source frames a quarter note
    /// from `originBeat` on, or what `warp` says in the place of that.
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

    /// A position without what arithmetic leaves over, so that what is equal but for that is equal: to 2⁻¹⁴ frames.
    @_noLocks static func settled(_ position: Double) -> Double { rt_floor(position * 0x1p14 + 0.5) * 0x1p-14 }

    /// The frame nearest to where `position` is reached. One that lies between two frames falls on the same of them in
    /// every turn, whatever the arithmetic leaves over.
    @_noLocks package func frame(of position: Double) -> Int64 {
        var exact = Double(anchorFrame) + (position - anchor.frames) / rate
        if framesPerBeat != 0 {
            let beat = warp.isNone ? position / framesPerBeat : warp.beat(atPosition: position)
            exact = segment.exactFrame(of: Beat(rawValue: originBeat + beat))
        }
        return Int64(rt_floor(StretchCourse.settled(exact) + 0.5))
    }

    /// Whether it goes on at `rate` source frames a frame from `frame` on, up to where beats have another length.
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
