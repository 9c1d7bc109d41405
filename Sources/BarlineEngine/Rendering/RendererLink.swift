import BarlineDSP
import CRealtime

/// The audio thread's ends of everything that it shares with the control side.
struct RendererLink: BitwiseCopyable, @unchecked Sendable {
    let commands: SPSCRing<Command>.Consumer
    /// The board places of the timeline, the mixer and the renderer.
    let places: Renderer.Places
    /// The sources, in the order in which they run.
    let sources: UnsafeMutablePointer<AnySource>
    let sourceCount: Int
    /// How the context reaches them.
    let others: UnsafePointer<rt_request_handler>
    /// The ends that its parts use.
    let context: ContextLink
}
