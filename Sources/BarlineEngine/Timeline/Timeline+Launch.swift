import BarlineTime
import CRealtime

/// The boundaries of requests on the launch grid.
extension Timeline {
    /// The boundary on which a request at `frame` takes effect. Before the transport started there was no timeline: a
    /// request for then counts as one for its start.
    @_noLocks func launchPoint(_ quantization: Quantization, at frame: FrameTime) -> LaunchPoint {
        launchPoint(quantization, at: frame < rollFrame ? rollFrame : frame, tolerance: snapTolerance)
    }

    /// The first boundary at or after `frame`.
    @_noLocks func launchPoint(_ quantization: Quantization, notBefore frame: FrameTime) -> LaunchPoint {
        launchPoint(quantization, at: frame, tolerance: 0)
    }

    /// The boundary `count` bars after `start`.
    @_noLocks func launchPoint(bars count: Int, after start: Beat) -> LaunchPoint {
        let bars = metre.bars(at: start)
        let line = rt_floor(bars + 0.5)
        var boundary = GridPoint.bar(Int64(line) + Int64(count))
        if bars - line > Beat.tolerance || line - bars > Beat.tolerance {
            boundary = .beat(start + Double(count) * metre.timeSignature(at: start).quartersPerBar)
        }
        return LaunchPoint(boundary: boundary, beat: boundary.beat(in: metre), isPast: false)
    }

    @_noLocks private func launchPoint(
        _ quantization: Quantization, at frame: FrameTime, tolerance: Double
    ) -> LaunchPoint {
        LaunchGrid.point(
            at: frame, quantization: quantization, tolerance: tolerance, rollBeat: rollBeat, tempo: tempo, metre: metre)
    }
}
