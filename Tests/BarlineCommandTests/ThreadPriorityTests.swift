import BarlineTestSupport
import Foundation
import Testing

/// Who goes first in a real program: what the kernel says of its threads and its memory.
@Suite("Priorities of threads", .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/task")))
struct ThreadPriorityTests {
    private struct Task {
        let niceness: Int
        /// 0 for as all programs, 2 for round robin, 3 for those that compute and never interrupt.
        let policy: Int
        let name: String
    }

    private func tasks(of program: Program) -> [Task] {
        let folder = "/proc/\(program.identifier)/task"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            guard let text = try? String(contentsOfFile: "\(folder)/\(name)/stat", encoding: .utf8),
                let close = text.lastIndex(of: ")")
            else { return nil }
            // The third field comes first.
            let fields = text[text.index(after: close)...].split(separator: " ")
            guard fields.count > 38, let niceness = Int(fields[16]), let policy = Int(fields[38]) else { return nil }
            let name = (try? String(contentsOfFile: "\(folder)/\(name)/comm", encoding: .utf8)) ?? ""
            return Task(niceness: niceness, policy: policy, name: name.trimmingCharacters(in: .newlines))
        }
    }

    /// Whether this process has a right of root, which a container may lack.
    private func has(right bit: UInt64) throws -> Bool {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let rights = line?.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) } ?? 0
        return rights & (1 << bit) != 0
    }

    @Test(
        "The audio thread goes first, then feeders and the host, then the server; what the callback touches is locked")
    func order() throws {
        let folder = try TemporaryFolder()
        var random = TestRandom(seed: 2)
        let noise = WaveFile((0..<480_000).map { _ in random.amplitude() / 4 }).bytes
        try folder.write("long.wav", noise)
        try folder.write(
            "set.barline", #"{"barline": 1, "name": "Set", "stems": [{"id": "s", "file": "long.wav"}]}"#)
        let program = try Program(
            Barline.path,
            ["run", folder.path("set.barline"), "--backend", "null", "--port", "0", "--no-browser", "--json"],
            environment: Barline.environment.merging(["XDG_STATE_HOME": folder.path("state")]) { $1 })
        defer { program.end() }
        #expect(eventually { program.output.contains(#""event":"page""#) })
        // Each thread says so itself when it begins to run.
        func count(_ isWanted: (Task) -> Bool) -> Int { tasks(of: program).count(where: isWanted) }
        let isGranted = (try? Program.run("chrt", ["--rr", "10", "true"]))?.status == 0
        // The clock's thread is the audio thread here; nobody else goes before the others.
        #expect(eventually { count { $0.policy == 2 } == (isGranted ? 1 : 0) })
        #expect(eventually { count { $0.name == "barline-null" && $0.policy == (isGranted ? 2 : 0) } == 1 })
        // Analysis comes after everybody else, where there is any now.
        #expect(tasks(of: program).allSatisfy { $0.policy != 3 || $0.niceness == 10 && $0.name == "barline-analyse" })
        // The network's thread, and that of what is sent many times a second.
        for name in ["barline-net", "barline-page"] {
            #expect(eventually { count { $0.name == name && $0.policy == 0 && $0.niceness == 5 } == 1 }, "\(name)")
        }
        for name in ["barline-host", "barline-output", "barline-stems"] {
            #expect(eventually { count { $0.name == name && $0.policy == 0 && $0.niceness == 0 } >= 1 }, "\(name)")
        }
        // The host, the feeders, the watch over the output.
        #expect(count { $0.policy == 0 && $0.niceness == 0 } >= 3)
        let status = try String(contentsOfFile: "/proc/\(program.identifier)/status", encoding: .utf8)
        let locked = status.split(separator: "\n").first { $0.hasPrefix("VmLck:") }
            .flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } }
        // CAP_IPC_LOCK
        if try has(right: 14) { #expect((locked ?? 0) > 1_024, "kB") }
    }
}
