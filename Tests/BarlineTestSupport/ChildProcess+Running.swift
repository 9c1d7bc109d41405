import BarlineFiles

extension ChildProcess {
    /// Whether it runs.
    package var isRunning: Bool { wait(atMost: 0) == nil }
}
