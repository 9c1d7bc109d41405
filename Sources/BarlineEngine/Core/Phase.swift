/// The order of one frame, in which causes precede effects. Within a phase the sources run in their order.
///
/// Before ``boundaries`` the renderer moves channels of the mixer, performs commands and ends a ramp of the tempo; after
/// it a queued tempo takes over. When nothing is left to do at the frame, ``wake`` finds the next one at which there is,
/// and what lies between is filled in one go.
enum Phase: BitwiseCopyable {
    /// What is over makes room.
    case ends
    /// What was queued for this frame starts or stops.
    case boundaries
    /// Loops wrap, and stems, which may bring their tempo, start and jump.
    case wraps
    /// Lead-ins of queued launches begin.
    case leadIns
    /// What was written ahead is looked after.
    case streams
    /// Beats are reported and clicks begin.
    case clicks
    /// Every source says with ``RenderContext/wake(at:)`` when something is due next.
    case wake
    /// Sources fill their channels over a slice.
    case fill(BlockSlice)
    /// As many frames pass unheard.
    case pass(frames: Int)
    /// Displays are shown how things are.
    case publish
}
