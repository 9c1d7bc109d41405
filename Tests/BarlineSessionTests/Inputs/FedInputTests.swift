import BarlineDSP
import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Inputs that have a signal in place of what a device gives: it belongs to a name.
@Suite("Inputs with a signal", .fewAtATime)
struct FedInputTests {
    private static func document(_ inputs: [String]) -> String {
        let list = inputs.map { #"{"name": "\#($0)", "monitor": "always"}"# }.joined(separator: ", ")
        return #"{"barline": 1, "inputs": [\#(list)], "tracks": [{"id": "t", "input": "\#(inputs[0])"}]}"#
    }

    /// A session whose input is heard: each channel of the device gives a level of its own, and never changes.
    private struct Heard {
        let folder: SessionFolder
        let player: SessionPlayer
        let stage: Stage

        init(_ inputs: [String], fed: String) async throws {
            folder = try SessionFolder()
            player = try await SessionPlayer(
                try folder.document(FedInputTests.document(inputs)), path: folder.path
            ) { $0.reserveForEditing() }
            player.hasInputs.store(true, ordering: .relaxed)
            var signals = OfflineInputs()
            signals.feed(fed, with: TestSignal(.sine(hertz: 1_000), peak: 0.5))
            try player.feed(signals)
            stage = Stage(player)
            stage.inputs = (1...16).map { [Float](repeating: 0.02 + 0.01 * Float($0), count: 200_000) }
        }

        /// Opens another session, or edits this one.
        func open(_ inputs: [String], path: String? = nil) async throws {
            let document = try folder.document(FedInputTests.document(inputs))
            try await player.change(path: path) { _ throws(SessionError) in document }
        }

        /// Whether the first track hears the signal, rather than the device.
        func hearsSignal() throws -> Bool {
            for _ in 0..<20 { stage.play(512) }
            let heard = stage.left.suffix(512)
            let first = try #require(heard.first)
            if heard.allSatisfy({ $0 == first }) {
                #expect(first > 0.01, "it hears the device")
                return false
            }
            return true
        }
    }

    @Test("A recording's render says that what was monitored is not in it, unless that is given")
    func lacking() async throws {
        let folder = try SessionFolder()
        func warnings(_ inputs: [String], given: String? = nil, isRecording: Bool = true) async throws -> [String] {
            let player = try await folder.player(Self.document(inputs))
            var script = PerformanceScript()
            if isRecording {
                script.beginning = ScriptBeginning(
                    session: player.document, folder: folder.folder.path, frame: .zero, frames: 480,
                    sampleRate: .standard)
            }
            var render = try OfflineRender(
                player, script: script, frames: 480, blockFrames: 64,
                output: OfflineRender.Output(path: folder.folder.path("mix.wav")))
            if let given { render.inputs.feed(given, with: TestSignal(.sine(hertz: 1_000), peak: 0.5)) }
            return try render.run().warnings
        }
        let lacking = try await warnings(["mic", "line"])
        #expect(lacking.count == 1 && lacking[0].contains("--input mic=FILE"))
        #expect(try await warnings(["mic", "line"], given: "mic").isEmpty)
        #expect(try await warnings(["mic", "line"], isRecording: false).isEmpty)
    }

    @Test("In another session it is the input of that name that gives it, wherever it is, and no other")
    func otherSession() async throws {
        let heard = try await Heard(["mic", "line"], fed: "mic")
        #expect(try heard.hearsSignal())
        let other = heard.folder.folder.path("other.barline")
        try await heard.open(["keys"], path: other)
        #expect(try !heard.hearsSignal(), "it is where the microphone was")
        #expect(!heard.player.fedInputs.withLock { $0.contains(InputIndex(0)) })
        try await heard.open(["line", "mic"], path: heard.folder.path)
        #expect(try !heard.hearsSignal())
        try await heard.open(["mic", "line"], path: other)
        #expect(try heard.hearsSignal())
    }

    @Test("An input that is called otherwise goes on giving it; one that takes the place of another does not")
    func edited() async throws {
        let heard = try await Heard(["mic"], fed: "mic")
        try await heard.open(["voice"])
        #expect(try heard.hearsSignal())
        try await heard.open(["mic"])
        #expect(try heard.hearsSignal())
        try await heard.open(["line", "mic"])
        #expect(try !heard.hearsSignal())
        try await heard.open(["line"])
        try await heard.open(["line", "other"])
        #expect(try !heard.hearsSignal())
        try await heard.open(["mic", "line"])
        #expect(try heard.hearsSignal(), "it is there again")
    }
}
