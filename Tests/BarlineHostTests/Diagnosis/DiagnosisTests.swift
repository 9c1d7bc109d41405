import BarlineOutputs
import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineHost

/// What is said of a machine.
@Suite("Diagnoses")
struct DiagnosisTests {
    private func facts(
        _ folder: TemporaryFolder, rtprio: String, memlock: String, governors: [String]
    ) throws -> MachineFacts {
        try folder.write("proc/sys/kernel/ostype", "Linux\n")
        try folder.write("proc/sys/kernel/osrelease", "6.1.0\n")
        try folder.write(
            "proc/self/limits",
            """
            Limit                     Soft Limit           Hard Limit           Units     
            Max locked memory         \(memlock)           unlimited            bytes     
            Max nice priority         0                    0                    
            Max realtime priority     \(rtprio)                    0                    
            """)
        for (index, governor) in governors.enumerated() {
            try folder.write("sys/devices/system/cpu/cpu\(index)/cpufreq/scaling_governor", governor + "\n")
        }
        try folder.folder("sys/devices/system/cpu/cpufreq")
        return MachineFacts(root: folder.path)
    }

    private func library(_ folder: TemporaryFolder) -> SessionLibrary {
        SessionLibrary(
            folder: URL(fileURLWithPath: folder.path("data"), isDirectory: true),
            state: URL(fileURLWithPath: folder.path("state"), isDirectory: true))
    }

    @Test("For a machine that lacks everything the diagnosis says what to do about each")
    func poor() throws {
        let folder = try TemporaryFolder()
        let machine = try facts(folder, rtprio: "0", memlock: "8388608", governors: ["performance", "powersave"])
        #expect(machine.kernel == "Linux 6.1.0" && machine.processors == 2)
        let findings = Diagnosis(machine, library(folder), outputs: [], isRealtimeGranted: false).findings
        func finding(_ name: String) throws -> Diagnosis.Finding { try #require(findings.first { $0.name == name }) }
        #expect(try finding("output").verdict == .problem)
        #expect(try finding("realtime").advice.contains("@audio - rtprio 95"))
        #expect(try finding("realtime").value == "refused: the limit is 0")
        #expect(try finding("locked memory").value == "8 MiB")
        #expect(try finding("locked memory").advice.contains("@audio - memlock unlimited"))
        #expect(try finding("governor").value == "performance, powersave")
        #expect(try finding("governor").verdict == .advice)
        #expect(findings.allSatisfy { ($0.verdict == .good) == $0.advice.isEmpty })
    }

    @Test("Of programs that play it is said how loaded they are, and what to do where blocks were late")
    func callbacks() throws {
        let folder = try TemporaryFolder()
        let machine = try facts(folder, rtprio: "95", memlock: "unlimited", governors: [])
        let logs = CrashLogs.folder(of: library(folder))
        try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
        func findings() -> [Diagnosis.Finding] {
            Diagnosis(machine, library(folder), outputs: [], isRealtimeGranted: true).findings
                .filter { $0.name.hasPrefix("callback") }
        }
        var log = FlightLog(path: logs.appendingPathComponent("running-77-x.log").path)
        #expect(findings().isEmpty)
        log?.keep(CallbackAccount(load: OutputLoad(mean: 0.034, p99: 0.05, max: 1.2), xruns: 0).text)
        #expect(findings().map(\.name) == ["callback of process 77"] && findings()[0].verdict == .good)
        #expect(findings()[0].value == "3 % of its time in the mean, 5 % in 99 of 100 blocks, 120 % at most; 0 xruns")
        log?.keep(CallbackAccount(load: nil, xruns: 1).text)
        #expect(findings()[0].value == "1 xrun" && findings()[0].verdict == .advice && !findings()[0].advice.isEmpty)
        log = nil
        // A program that was started just now may still hold what this one had open.
        #expect(eventually { findings().isEmpty }, "it has ended")
    }

    @Test("With the right to lock memory no limit of it holds")
    func lockingRight() throws {
        for (rights, isThere) in [("000001ffffffffff", true), ("0000000000004000", true), ("000001ffffffbfff", false)] {
            let folder = try TemporaryFolder()
            try folder.write("proc/self/status", "Name:\tbarline\nCapPrm:\t0000000000000000\nCapEff:\t\(rights)\n")
            let machine = try facts(folder, rtprio: "0", memlock: "8388608", governors: [])
            #expect(machine.locksMemory == isThere)
            let findings = Diagnosis(machine, library(folder), outputs: [], isRealtimeGranted: true).findings
            let finding = try #require(findings.first { $0.name == "locked memory" })
            #expect(finding.verdict == (isThere ? .good : .advice))
        }
    }

    @Test("For a machine that has everything the diagnosis is empty")
    func rich() throws {
        let folder = try TemporaryFolder()
        let machine = try facts(folder, rtprio: "95", memlock: "unlimited", governors: ["performance"])
        #expect(machine.realtimePriority == 95 && machine.lockedBytes == .max && machine.locksMemory)
        let jack = OutputListing(
            backend: .jack, name: "JACK server", sampleRate: 48_000, channelCount: nil, latency: 0.00533,
            isDefault: true)
        let findings = Diagnosis(machine, library(folder), outputs: [jack], isRealtimeGranted: true).findings
        #expect(findings.contains { $0.value == "JACK server, 48000 Hz, 5.3 ms" })
        let libraries = try #require(findings.first { $0.name == "libraries" })
        for library in ["libsndfile", "libmpg123", "PortAudio", "JACK"] { #expect(libraries.value.contains(library)) }
        #expect(findings.filter { $0.name != "free space" }.allSatisfy { $0.verdict == .good })
    }

    @Test("The threads of a Barline that plays are listed, those that go first before the others")
    func threads() throws {
        let folder = try TemporaryFolder()
        func thread(_ number: Int, _ name: String, niceness: Int, priority: Int, policy: Int, of process: Int) throws {
            // As proc(5) numbers the fields, from the third on.
            var fields = Array(repeating: "0", count: 50)
            (fields[0], fields[16]) = ("S", "\(niceness)")
            (fields[37], fields[38]) = ("\(priority)", "\(policy)")
            let task = "proc/\(process)/task/\(number)"
            try folder.write(task + "/comm", name + "\n")
            try folder.write(task + "/stat", "\(number) (\(name)) x) " + fields.joined(separator: " ") + "\n")
        }
        try folder.write("proc/71/comm", "barline\n")
        try thread(71, "barline", niceness: 0, priority: 0, policy: 0, of: 71)
        try thread(72, "barline-analyse", niceness: 10, priority: 0, policy: 3, of: 71)
        try thread(73, "barline-net", niceness: 5, priority: 0, policy: 0, of: 71)
        try thread(74, "barline-stems", niceness: 0, priority: 0, policy: 0, of: 71)
        try thread(75, "barline-stems", niceness: 0, priority: 0, policy: 0, of: 71)
        try thread(76, "jack-process", niceness: 0, priority: 60, policy: 1, of: 71)
        try thread(77, "library", niceness: 0, priority: 0, policy: 0, of: 71)
        try folder.write("proc/80/comm", "other\n")
        try thread(80, "barline-net", niceness: 0, priority: 0, policy: 0, of: 80)
        let machine = try facts(folder, rtprio: "95", memlock: "unlimited", governors: [])
        let findings = Diagnosis(machine, library(folder), outputs: [], isRealtimeGranted: true).findings
        let finding = try #require(findings.first { $0.name == "threads of process 71" })
        #expect(
            finding.value
                == "realtime 60: jack-process; niceness 0: barline-stems × 2; niceness 5: barline-net; "
                + "batch, niceness 10: barline-analyse")
        #expect(!findings.contains { $0.name.hasSuffix("80") })
    }

    @Test("A disk that is full, and what was broken off, are reported", .enabled(if: SmallDisk.canBeMade))
    func disk() throws {
        let folder = try TemporaryFolder()
        let disk = try SmallDisk(at: folder.folder("data"), bytes: 4 << 20)
        try folder.write(
            "data/recordings/Take.unfinished",
            #"{"do": "begin", "frame": 0, "sampleRate": 48000, "folder": "/", "session": {"barline": 1}}"#)
        try folder.write("state/log/crash-2026.log", "it was killed")
        let machine = MachineFacts(root: folder.path)
        let findings = Diagnosis(machine, library(folder), outputs: [], isRealtimeGranted: true).findings
        #expect(findings.first { $0.name == "free space" }?.verdict == .problem)
        #expect(findings.first { $0.name == "rescued recordings" }?.value == "Take")
        #expect(findings.first { $0.name == "last crash" }?.value == folder.path("state/log/crash-2026.log"))
        withExtendedLifetime(disk) {}
    }
}
