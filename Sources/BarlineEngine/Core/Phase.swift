/// The order of one frame, in which causes precede effects. Within a phase the sources run in their order.
///
/// Before ``boundaries`` the renderer reroutes channels of the mixer, performs commands and ends a tempo ramp; after it
/// a queued tempo takes effect. When nothing is left to do at the frame, ``wake`` finds the next one at which there is,
/// and the frames between are rendered in one go.
enum Phase: BitwiseCopyable {
    /// Finished voices are freed.
    case ends
    /// Items queued for this frame start or stop.
    case boundaries
    /// Loops wrap, and stems, which may bring their own tempo, start and jump.
    case wraps
    /// Lead-ins of queued launches begin.
    case leadIns
    /// Streams are serviced.
    case streams
    /// Beats are reported and clicks start.
    case clicks
    /// Every source reports its next due frame with ``RenderContext/wake(at:)``.
    case wake
    /// Sources render a slice of their channels.
    case fill(BlockSlice)
    /// The given number of frames pass without being rendered.
    case pass(frames: Int)
    /// Snapshots are published for displays.
    case publish
}
