/// Where the transport stands when the first clip is launched.
public enum FirstLaunch: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Beat 0 comes one quantisation period after the launch.
    case afterOnePeriod
    /// Beat 0 is the launch's own frame.
    case immediate
}
