import CRealtime

/// The threads of a server, which yield to those that play.
enum ServerThread {
    /// How much the kernel prefers other threads, 0 … 19.
    static let niceness: Int32 = 5

    /// To be called at the start of each.
    ///
    /// - Parameter name: what the kernel calls it, in 15 bytes.
    static func begin(_ name: String) {
        rt_thread_set_name(name)
        _ = rt_thread_set_niceness(niceness)
    }
}
