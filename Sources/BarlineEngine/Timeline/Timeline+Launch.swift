import BarlineTime

/// Where requests fall on the launch grid.
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

    @_noLocks private func launchPoint(
        _ quantization: Quantization, at frame: FrameTime, tolerance: Double
    ) -> LaunchPoint {
        LaunchGrid.point(
            at: frame, quantization: quantization, tolerance: tolerance, rollBeat: rollBeat, tempo: tempo, metre: metre)
    }
}
