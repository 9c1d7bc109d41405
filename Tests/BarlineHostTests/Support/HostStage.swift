import BarlineEngine
import BarlineHost
import BarlineOutputs
import BarlineSession
import BarlineTestSupport
import Foundation
import Synchronization

/// A session of two tracks, played by a host to the clock.
struct HostStage {
    let folder: TemporaryFolder
    let host: SessionHost

    static let document = """
        {"barline": 1, "name": "Set", "tempo": 120, "launchQuantization": "none", "firstLaunch": "immediate",
         "tracks": [{"id": "t", "name": "One", "clips": [{"id": "a", "file": "a.wav", "beats": 2}]},
                    {"id": "u", "name": "Two", "clips": [{"id": "b", "file": "a.wav", "beats": 4}]}]}
        """

    /// Opens the output; what is played begins to be handed over with `host.start()`.
    ///
    /// - Parameter change: adapts what is played.
    /// - Throws: where there is no place for files.
    init(_ change: (inout SessionHost.Plan, TemporaryFolder) throws -> Void = { _, _ in }) async throws {
        folder = try TemporaryFolder()
        var random = TestRandom(seed: 3)
        try folder.write("a.wav", WaveFile((0..<24_000).map { _ in random.amplitude() / 2 }).bytes)
        let path = try folder.write("set.barline", HostStage.document)
        var plan = SessionHost.Plan(try SessionDocument(path: path), path: path)
        plan.library = SessionLibrary(
            folder: URL(fileURLWithPath: folder.path("library"), isDirectory: true),
            state: URL(fileURLWithPath: folder.path("state"), isDirectory: true))
        plan.isEditable = true
        try change(&plan, folder)
        var selection = OutputSelection()
        selection.backend = .null
        host = try await SessionHost(plan, on: selection)
    }
}

/// Keeps what it receives.
final class Witness: HostObserver {
    struct Seen {
        var events: [EngineEvent] = []
        var audibleEvents: [EngineEvent] = []
        var notices: [HostNotice] = []
        var documents: [SessionDocument] = []
        var sound: [HostSound] = []
        var frames: [Int64] = []
        var missed = 0
        var closings = 0
        var ends = 0
    }

    let interest: HostInterest
    private let seen = Mutex(Seen())
    private let gate: DispatchSemaphore?

    /// - Parameters:
    ///   - interest: what it wants to receive.
    ///   - gate: what it waits for in every report, as one that hangs does.
    init(_ interest: HostInterest = HostInterest(), waitingFor gate: DispatchSemaphore? = nil) {
        self.interest = interest
        self.gate = gate
    }

    var all: Seen { seen.withLock { $0 } }

    func receive(_ report: HostReport) {
        gate?.wait()
        seen.withLock { seen in
            seen.events += report.events
            seen.audibleEvents += report.audibleEvents
            seen.notices += report.notices
            seen.documents += [report.document].compactMap { $0 }
            seen.sound += report.sound
            seen.frames.append(report.state.frame.rawValue)
            seen.missed += report.missed
        }
    }

    func outputWillClose() { seen.withLock { $0.closings += 1 } }

    func end() { seen.withLock { $0.ends += 1 } }
}

extension [EngineEvent] {
    /// Whether a clip has started in it.
    var hasStart: Bool { contains { if case .launcher(.started) = $0.kind { true } else { false } } }
}

extension JSONValue {
    subscript(key: String) -> JSONValue? {
        if case .object(let values) = self { values[key] } else { nil }
    }

    var number: Double? { if case .number(let value) = self { value } else { nil } }
}
