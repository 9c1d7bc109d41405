import BarlineTime

extension FrameTime {
    /// The end of time: the frame of what never happens.
    static var never: FrameTime { @_noLocks get { FrameTime(rawValue: .max) } }

    var isNever: Bool { @_noLocks get { rawValue == .max } }
}

/// The earlier of two frames.
@_noLocks func earlier(_ first: FrameTime, _ second: FrameTime) -> FrameTime { first < second ? first : second }

/// The later one of two frames.
@_noLocks func later(_ first: FrameTime, _ second: FrameTime) -> FrameTime { first < second ? second : first }
