import Foundation

/// The threads of a program that plays, in the order in which the kernel lets them run.
package struct ProgramThreads: Hashable, Sendable {
    /// The program's number.
    let process: Int
    /// How the threads run, those that go first before the others; each as `realtime 10: barline-null`.
    let lines: [String]

    fileprivate struct Thread {
        var name: String
        /// Of `sched_setscheduler`: 0 for as all programs, 1 and 2 before them, 3 for those that compute.
        var policy: Int
        var priority: Int
        var niceness: Int

        var isRealtime: Bool { policy == 1 || policy == 2 }
        var rank: (Int, Int) { isRealtime ? (0, -priority) : (1, niceness + (policy == 3 ? 100 : 0)) }
        var place: String {
            if isRealtime { return "realtime \(priority)" }
            return (policy == 3 ? "batch, " : "") + "niceness \(niceness)"
        }
    }

    /// The programs of that name that run, but this one.
    ///
    /// - Parameters:
    ///   - name: as the kernel has it, in 15 bytes.
    ///   - root: the folder that has `proc`.
    /// - Returns: each with its threads, in the order of their numbers.
    static func all(of name: String, root: String = "") -> [ProgramThreads] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/proc")) ?? []
        return names.compactMap(Int.init).sorted().compactMap { process in
            guard process != Int(getpid()), text("\(root)/proc/\(process)/comm") == name else { return nil }
            return ProgramThreads(process, folder: "\(root)/proc/\(process)/task")
        }
    }

    private init?(_ process: Int, folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // Those of libraries run as the program itself does, unless they are for the sound.
        let threads = names.compactMap { Thread(folder: "\(folder)/\($0)") }
            .filter { $0.name.hasPrefix("barline-") || $0.isRealtime }
        guard !threads.isEmpty else { return nil }
        self.process = process
        let places = Dictionary(grouping: threads) { $0.place }.values.sorted { $0[0].rank < $1[0].rank }
        lines = places.map { (threads: [Thread]) -> String in
            var counts: [String: Int] = [:]
            for thread in threads { counts[thread.name, default: 0] += 1 }
            let names = counts.sorted { $0.key < $1.key }
                .map { $0.value == 1 ? $0.key : "\($0.key) × \($0.value)" }
            return "\(threads[0].place): \(names.joined(separator: ", "))"
        }
    }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            .trimmingCharacters(in: .newlines)
    }
}

extension ProgramThreads.Thread {
    fileprivate init?(folder: String) {
        func text(_ name: String) -> String {
            String(decoding: FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data(), as: UTF8.self)
        }
        let status = text("stat")
        // The name is in brackets, and may have some itself; the third field comes first after it.
        guard let bracket = status.lastIndex(of: ")") else { return nil }
        let fields = status[status.index(after: bracket)...].split(whereSeparator: \.isWhitespace)
        guard fields.count > 38, let niceness = Int(fields[16]), let priority = Int(fields[37]),
            let policy = Int(fields[38])
        else { return nil }
        self.init(
            name: text("comm").trimmingCharacters(in: .newlines), policy: policy, priority: priority, niceness: niceness
        )
    }
}
