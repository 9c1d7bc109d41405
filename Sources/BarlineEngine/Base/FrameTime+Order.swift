import BarlineTime

/// The earlier of two frames.
@_noLocks func earlier(_ first: FrameTime, _ second: FrameTime) -> FrameTime { first < second ? first : second }
