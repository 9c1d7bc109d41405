import Foundation

/// What a process has of the system: of this one, now.
struct ProcessFacts {
    /// Memory that it has touched, in KiB.
    let memory: Int
    /// Open files.
    let descriptors: Int
    let threads: Int

    enum Failure: Error { case unknown }

    init() throws {
        let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        func number(_ key: String) -> Int? {
            lines.first { $0.hasPrefix(key) }.flatMap { Int($0.filter(\.isNumber)) }
        }
        guard let memory = number("VmRSS:"), let threads = number("Threads:") else { throw Failure.unknown }
        self.memory = memory
        self.threads = threads
        // The one with which they are counted is among them each time.
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}
