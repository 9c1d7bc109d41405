import BarlineTime

/// An event of the launcher.
public enum LauncherEvent: Hashable, Sendable, BitwiseCopyable {
    /// A clip became audible: at `beat`, and in the source at `sourceFrame` frames from its region's start. A start is
    /// rounded to a whole frame, so this may be up to half a step before 0.
    case started(clip: ClipHandle, track: TrackIndex, beat: Beat, sourceFrame: Double)
    /// A loop began its `iteration`th repetition.
    case looped(clip: ClipHandle, track: TrackIndex, iteration: Int64)
    /// A clip stopped; unless it reached its end, its fade-out begins here.
    case stopped(clip: ClipHandle, track: TrackIndex)
    /// All voices are in use: the clip was not started.
    case voicesExhausted(clip: ClipHandle, track: TrackIndex)
    /// A streamed clip underran: it fades out, and moves on silently.
    case underrun(clip: ClipHandle, track: TrackIndex)
    /// A streamed clip has data again and fades in, where it would have been.
    case recovered(clip: ClipHandle, track: TrackIndex)
    /// A take began in a slot: its first frame is on its boundary, which is this frame or one that has just passed.
    case recordStarted(clip: ClipHandle, track: TrackIndex, input: InputIndex)
    /// The length of a take is known: `frames` frames.
    case recordEnded(clip: ClipHandle, track: TrackIndex, frames: Int64)
    /// A layer is audible from here on: an overdub of a loop, `frames` frames long.
    case layerAdded(clip: ClipHandle, track: TrackIndex, layer: LayerID, frames: Int64)
    /// The latest layer of a loop was undone.
    case layerUndone(clip: ClipHandle, track: TrackIndex)
    /// The layer that was undone last was redone.
    case layerRedone(clip: ClipHandle, track: TrackIndex)
}
