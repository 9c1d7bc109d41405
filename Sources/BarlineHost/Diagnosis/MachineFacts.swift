import Foundation

/// The limits and settings of a machine, as its files of `/proc` and `/sys` state them.
package struct MachineFacts {
    /// The kernel's name, release and version.
    var kernel = ""
    var processors = 0
    /// How the frequency of each processor is chosen; empty where the system does not say.
    var governors: Set<String> = []
    /// The highest realtime priority that may be had; `.max` for any.
    var realtimePriority = 0
    /// Bytes that may be kept from being swapped out; `.max` for all.
    var lockedBytes = 0
    /// Whether as much as there is may be kept from being swapped out.
    var locksMemory: Bool { lockedBytes == .max || hasLockingRight }

    /// The threads of the Barlines that run now.
    var playing: [ProgramThreads] = []

    private var hasLockingRight = false
    /// The bit of CAP_IPC_LOCK, with which no limit holds.
    private static let lockingBit: UInt64 = 1 << 14

    /// Reads them.
    ///
    /// - Parameter root: the folder that has `proc` and `sys`.
    init(root: String = "") {
        func text(_ path: String) -> String {
            let data = FileManager.default.contents(atPath: root + path) ?? Data()
            return String(decoding: data, as: UTF8.self)
        }
        func words(_ path: String) -> String { text(path).split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        kernel = ["/proc/sys/kernel/ostype", "/proc/sys/kernel/osrelease", "/proc/sys/kernel/version"].map(words)
            .filter { !$0.isEmpty }.joined(separator: " ")
        playing = ProgramThreads.all(of: "barline", root: root)
        let folder = "/sys/devices/system/cpu"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []
        for name in names where name.wholeMatch(of: /cpu\d+/) != nil {
            processors += 1
            let governor = words("\(folder)/\(name)/cpufreq/scaling_governor")
            if !governor.isEmpty { governors.insert(governor) }
        }
        for line in text("/proc/self/status").split(separator: "\n") where line.hasPrefix("CapEff:") {
            hasLockingRight = MachineFacts.rights(line) & MachineFacts.lockingBit != 0
        }
        for line in text("/proc/self/limits").split(separator: "\n") {
            if line.hasPrefix("Max realtime priority") { realtimePriority = MachineFacts.limit(line) }
            if line.hasPrefix("Max locked memory") { lockedBytes = MachineFacts.limit(line) }
        }
    }

    /// The rights of the program as the line of `/proc/self/status` has them.
    private static func rights(_ line: Substring) -> UInt64 {
        line.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) } ?? 0
    }

    /// The soft limit of a line: the third column from the end, or the second where there is no unit.
    private static func limit(_ line: Substring) -> Int {
        let value = line.dropFirst("Max realtime priority     ".count).split(separator: " ").first ?? ""
        return value == "unlimited" ? .max : Int(value) ?? 0
    }
}
