import CRealtime

/// The point at which a launch or a stop takes effect.
@usableFromInline package struct LaunchPoint: Hashable, Sendable, BitwiseCopyable {
    /// The boundary, on which the clip's phase is based.
    @usableFromInline package let boundary: GridPoint
    /// The boundary's beat at the time of the decision.
    @usableFromInline package let beat: Beat
    /// Whether the boundary had passed: the clip then starts at once, in phase with it.
    @usableFromInline package let isPast: Bool

    /// Creates a point.
    @_noLocks @inlinable package init(boundary: GridPoint, beat: Beat, isPast: Bool) {
        self.boundary = boundary
        self.beat = beat
        self.isPast = isPast
    }
}

/// The rule of quantised launch on a rolling transport.
@usableFromInline package enum LaunchGrid {
    /// The widest snap tolerance: half a period.
    @usableFromInline package static let toleranceRange: ClosedRange<Double> = 0...0.5
    /// The distance in periods by which `d` is taken to be at the tolerance: less than a frame of any grid, more than
    /// the rounding errors of days. Without it they would decide on plain numbers, such as 0.04 s after a bar of 2 s.
    @inlinable package static var margin: Double { @_noLocks get { 1e-9 } }

    /// Decides where a command given at `frame` takes effect.
    ///
    /// With `x` quantisation periods since the grid's origin and `d = frac(x)`: a boundary whose frame is `frame`
    /// itself is taken; with `d < tolerance` the boundary that has just passed is taken, in phase; otherwise the next
    /// one. Nothing can have been launched on a boundary of the count-in at or before `rollBeat`, where the transport
    /// started, so such a boundary is never taken as just passed.
    ///
    /// - Parameters:
    ///   - frame: the command's frame.
    ///   - quantization: the grid.
    ///   - tolerance: the snap tolerance as a fraction of a period, 0 … 0.5.
    ///   - rollBeat: the beat at which the transport started.
    ///   - tempo: the current tempo map.
    ///   - metre: the current metre map.
    /// - Returns: the boundary, and whether it had passed.
    @_noLocks @inlinable package static func point(
        at frame: FrameTime, quantization: Quantization, tolerance: Double, rollBeat: Beat,
        tempo: borrowing TempoMap, metre: borrowing MetreMap
    ) -> LaunchPoint {
        let now = tempo.beat(at: frame)
        if case .none = quantization { return LaunchPoint(boundary: .beat(now), beat: now, isPast: false) }
        let periods = quantization.periods(at: now, metre: metre)
        let index = FrameRounding.whole(rt_floor(periods))
        let passed = quantization.boundary(index)
        let passedBeat = passed.beat(in: metre)
        if passedBeat.rawValue >= 0 || passedBeat > rollBeat {
            if tempo.frame(of: passedBeat) >= frame {
                return LaunchPoint(boundary: passed, beat: passedBeat, isPast: false)
            }
            if periods - rt_floor(periods) < tolerance - margin {
                return LaunchPoint(boundary: passed, beat: passedBeat, isPast: true)
            }
        }
        let next = quantization.boundary(index + 1)
        return LaunchPoint(boundary: next, beat: next.beat(in: metre), isPast: false)
    }
}
