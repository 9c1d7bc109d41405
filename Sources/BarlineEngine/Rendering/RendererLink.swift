import BarlineDSP

/// The audio thread's ends of everything that it shares with the control side.
struct RendererLink: BitwiseCopyable, @unchecked Sendable {
    let commands: SPSCRing<Command>.Consumer
    /// Where on the board the timeline, the mixer and the renderer are.
    let places: Renderer.Places
    /// The sources, in the order in which they run.
    let sources: UnsafeMutablePointer<AnySource>
    let sourceCount: Int
    /// What its parts have.
    let context: ContextLink
}
