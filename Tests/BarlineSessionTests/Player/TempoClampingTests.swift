import BarlineTestSupport
import Testing

@testable import BarlineSession

/// A tempo outside 20 … 999 BPM is clamped, and the user is told.
@Suite("Clamped tempos", .fewAtATime)
struct TempoClampingTests {
    @Test("The session's", arguments: [(5.0, 20.0), (1000, 999), (19.99, 20)])
    func session(tempo: Double, played: Double) async throws {
        let player = try await SessionFolder().player(#"{"barline": 1, "tempo": \#(tempo)}"#)
        #expect(player.engine.state.transport.tempo.beatsPerMinute == played)
        #expect(player.warnings.count == 1)
        #expect(player.warnings.first?.contains("tempo: ") == true)
    }

    @Test("A script's")
    func action() async throws {
        let player = try await SessionFolder().player(#"{"barline": 1}"#)
        let warning = try player.perform(.tempo(bpm: 1200, ramp: 0), source: "s.jsonl", key: "line 4")
        #expect(warning == "s.jsonl: line 4: 1200.0 BPM is played as 999.0 BPM")
        #expect(try player.perform(.tempo(bpm: 999, ramp: 0)) == nil)
    }

    @Test("A scene's")
    func scene() async throws {
        let folder = try SessionFolder()
        let player = try await folder.player(
            #"{"barline": 1, "scenes": [{"tempo": 90}, {"tempo": 5}], "tracks": [{"id": "t"}]}"#)
        let told = player.warnings + [try player.perform(.launchScene(1))].compactMap { $0 }
        #expect(told.count == 1)
        #expect(told.first?.contains("scenes[1].tempo") == true)
    }
}
