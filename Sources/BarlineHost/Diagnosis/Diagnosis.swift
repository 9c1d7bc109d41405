import BarlineFiles
import BarlineOutputs
import BarlineSession
import Foundation

/// A diagnosis of a machine: what it has and lacks for playing without interruption, and what to do about it.
package struct Diagnosis: Sendable {
    /// One thing that was looked at.
    package struct Finding: Hashable, Sendable {
        /// The verdict on a finding.
        package enum Verdict: String, Sendable {
            /// As it should be.
            case good
            /// It would be better otherwise.
            case advice
            /// It keeps something from working.
            case problem
        }

        /// What was looked at.
        package let name: String
        /// What was found.
        package let value: String
        /// How that is.
        package let verdict: Verdict
        /// What to do about it; empty where there is nothing to do.
        package let advice: String
    }

    /// All that was looked at.
    package private(set) var findings: [Finding] = []

    /// The bytes that a second of recording takes: 48 kHz, two channels of 32 bits.
    private static let recordingBytes = 48_000.0 * 8
    /// The room for a recording that is too little, in seconds, and that which is little.
    private static let leastRecording = 60.0
    private static let shortRecording = 3_600.0

    /// Looks at this machine.
    ///
    /// - Parameters:
    ///   - library: whose disk is looked at.
    ///   - outputs: what can be played to.
    package init(_ library: SessionLibrary = .standard, outputs: [OutputListing]) {
        self.init(
            MachineFacts(), library, outputs: outputs,
            isRealtimeGranted: OutputListing.isRealtimeGranted(priority: AudioThread.priority))
    }

    init(
        _ machine: MachineFacts, _ library: SessionLibrary, outputs: [OutputListing], isRealtimeGranted: Bool
    ) {
        add("program", "barline \(Program.version)")
        add("system", "\(machine.kernel), \(machine.processors) processors")
        add("libraries", (AudioLibraries.versions + OutputListing.libraries).joined(separator: ", "))
        add(outputs)
        for latency in LatencyStore(library).measured { add(latency) }
        let rights =
            "put yourself into the group audio, and \"@audio - %\" into /etc/security/limits.d/audio.conf; then log in again"
        add(
            "realtime", isRealtimeGranted ? "granted" : "refused: the limit is \(machine.realtimePriority)",
            isRealtimeGranted ? nil : .advice,
            "the audio thread waits for other programs: " + rights.replacing("%", with: "rtprio 95"))
        for program in machine.playing {
            add("threads of process \(program.process)", program.lines.joined(separator: "; "))
        }
        for (process, account) in CallbackAccount.all(in: library) {
            add(
                "callback of process \(process)", account.words, account.xruns > 0 ? .advice : nil,
                "blocks came late, which is heard: ask the server for larger ones (\"jackd … -p 512\"), end other programs, and see "
                    + "that realtime is granted")
        }
        add(
            "locked memory", machine.locksMemory ? "unlimited" : Diagnosis.size(Int64(machine.lockedBytes)),
            machine.locksMemory ? nil : .advice,
            "memory of the audio thread may be swapped out: " + rights.replacing("%", with: "memlock unlimited"))
        let slow = machine.governors.subtracting(["performance"]).sorted()
        add(
            "governor", machine.governors.isEmpty ? "not told" : machine.governors.sorted().joined(separator: ", "),
            slow.isEmpty ? nil : .advice,
            "processors that slow down take long to wake up: \"cpupower frequency-set -g performance\"")
        add(library)
    }

    private mutating func add(_ name: String, _ value: String, _ verdict: Finding.Verdict? = nil, _ advice: String = "")
    {
        findings.append(
            Finding(name: name, value: value, verdict: verdict ?? .good, advice: verdict == nil ? "" : advice))
    }

    private mutating func add(_ outputs: [OutputListing]) {
        for output in outputs where output.backend != .null {
            let milliseconds = (output.latency * 10_000).rounded() / 10
            add(
                output.isDefault ? "output, the default" : "output",
                "\(output.name), \(Int(output.sampleRate)) Hz, \(milliseconds) ms")
        }
        guard !outputs.contains(where: { $0.backend != .null }) else { return }
        add(
            "output", "none but the clock, which is not heard", .problem,
            "start JACK or PipeWire, or plug a sound device in: a program that plays joins it then")
    }

    private mutating func add(_ latency: MeasuredLatency) {
        func milliseconds(_ frames: Double) -> String { String(format: "%.1f ms", 1000 * frames / latency.sampleRate) }
        add(
            "latency, \(latency.output) to \(latency.input)",
            "\(milliseconds(latency.roundTrip)) at \(Int(latency.sampleRate)) Hz, measured \(latency.date); the driver says "
                + milliseconds(Double(latency.declared)))
    }

    private mutating func add(_ library: SessionLibrary) {
        let folder = library.folder.path
        if let free = DiskSpace.free(at: DiskSpace.existing(folder)) {
            let seconds = Double(free) / Diagnosis.recordingBytes
            add(
                "free space", "\(Diagnosis.size(free)) for \(folder): \(Int(seconds / 60)) minutes of recording",
                seconds < Diagnosis.leastRecording ? .problem : seconds < Diagnosis.shortRecording ? .advice : nil,
                "make room, or set XDG_DATA_HOME to another disk")
        }
        for path in [folder, library.state.path] where access(DiskSpace.existing(path), W_OK) != 0 {
            add(
                "folder", "\(path) can't be written to", .problem,
                "sessions, recordings and autosaves are kept there: give yourself the right to write")
        }
        let takes = TakeRecovery.takes(in: library)
        if !takes.isEmpty {
            add(
                "rescued recordings", takes.map(\.name).joined(separator: ", "), .advice,
                "\"barline takes\" keeps them or throws them away")
        }
        if let log = CrashLogs.all(in: library).first {
            add("last crash", log, .advice, "it has the last events and actions: send it with a report")
        }
    }

    private static func size(_ bytes: Int64) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var (value, unit) = (Double(bytes), 0)
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return "\(Int(value)) \(units[unit])"
    }
}
