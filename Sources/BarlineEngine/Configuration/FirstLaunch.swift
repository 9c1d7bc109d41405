/// The policy for a launch while the transport is stopped: where the transport starts.
public enum FirstLaunch: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Beat 0 comes one quantisation period after the launch.
    case afterOnePeriod
    /// Beat 0 is the launch's own frame.
    case immediate
}
