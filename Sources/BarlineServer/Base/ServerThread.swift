import CRealtime

/// The threads of a server: whoever plays goes before them.
enum ServerThread {
    /// How much the kernel prefers other threads, 0 … 19.
    static let niceness: Int32 = 5

    /// To be called at the start of each.
    static func begin() { _ = rt_thread_set_niceness(niceness) }
}
