import BarlineTime

/// An event of the launcher.
public enum LauncherEvent: Hashable, Sendable, BitwiseCopyable {
    /// A clip began to sound: at `beat`, and in the source at `sourceFrame` frames from its region's start. A
    /// start is rounded to a whole frame, so this may be up to half a step before 0.
    case started(clip: ClipHandle, track: TrackIndex, beat: Beat, sourceFrame: Double)
    /// A loop began its `iteration`th repetition.
    case looped(clip: ClipHandle, track: TrackIndex, iteration: Int64)
    /// A clip stopped; where it did not end by itself, its fade-out begins here.
    case stopped(clip: ClipHandle, track: TrackIndex)
    /// All voices are in use: the clip was not started.
    case voicesExhausted(clip: ClipHandle, track: TrackIndex)
    /// A take began, into a slot: its first frame is on the boundary that was met, this one or one that has just passed.
    case recordStarted(clip: ClipHandle, track: TrackIndex, input: InputIndex)
    /// A take has its length, `frames` frames.
    case recordEnded(clip: ClipHandle, track: TrackIndex, frames: Int64)
    /// A layer is heard from here on: one that was recorded over a loop, `frames` frames long.
    case layerAdded(clip: ClipHandle, track: TrackIndex, layer: LayerID, frames: Int64)
    /// The latest layer of a loop is heard no more.
    case layerUndone(clip: ClipHandle, track: TrackIndex)
    /// The layer that was undone last is heard again.
    case layerRedone(clip: ClipHandle, track: TrackIndex)
}
