import BarlineTestSupport
import BarlineTime
import Testing

@testable import BarlineSession

/// A performance is recorded as the script that gives the same samples.
@Suite("Recording a performance", .fewAtATime)
struct RecordingTests {
    static let session = """
        {"barline": 1, "tempo": 133, "launchQuantization": "1/8", "scenes": [{}, {"tempo": 171}],
         "tracks": [
          {"id": "t", "clips": [{"id": "a", "file": "a.wav", "beats": 2}, {"id": "b", "file": "b.wav", "beats": 3}]},
          {"id": "u", "clips": [{"id": "c", "file": "b.wav", "beats": 4, "quantization": "none"},
                                {"id": "d", "file": "a.wav", "beats": 1, "launchMode": "toggle"}]}]}
        """

    private func action(_ random: inout TestRandom) -> ScriptAction {
        let clip = ["a", "b", "c", "d"][Int.random(in: 0..<4, using: &random)]
        let track = ["t", "u"][Int.random(in: 0..<2, using: &random)]
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1, 2, 3: return .launch(clip: clip)
        case 4: return .launchScene(Int.random(in: 0..<2, using: &random))
        case 5: return .stop(track: track)
        case 6: return .stopNow(track: track)
        case 7:
            return .tempo(
                bpm: Double.random(in: 60...200, using: &random), ramp: Double(Int.random(in: 0...2, using: &random)))
        case 8: return .gain(.track(track), db: Double.random(in: -20...3, using: &random))
        case 9: return .mute(.track(track), Bool.random(using: &random))
        case 10: return .pan(.track(track), Double.random(in: -1...1, using: &random))
        default: return .gain(.clip(clip), db: Double.random(in: -10...0, using: &random))
        }
    }

    @Test("Rendering what was recorded gives the same samples", arguments: UInt64(1)...6)
    func sameSamples(seed: UInt64) async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(30_000, seed: 7))
        try folder.folder.write("b.wav", Sound.tone(50_000, cycles: 99))
        let stage = Stage(try await folder.player(RecordingTests.session))
        stage.player.startRecording()
        var random = TestRandom(seed: seed)
        var performed = 0
        while stage.left.count < 240_000 {
            // Between blocks, where a live player's hands are; now and then with a frame of its own.
            for _ in 0..<Int.random(in: 0...1, using: &random) {
                let isPlanned = Int.random(in: 0..<4, using: &random) == 0
                let frame = FrameTime(Int64(stage.left.count + Int.random(in: 0..<4000, using: &random)))
                try stage.player.perform(action(&random), at: isPlanned ? frame : nil)
                performed += 1
            }
            stage.play([64, 256, 777, 1024, 4096].randomElement(using: &random) ?? 64)
        }
        let recorded = stage.player.recordedScript
        #expect(recorded.entries.count == performed)
        let lines = recorded.schedule(at: .standard).map { PerformanceScript.line($0.entry.action, at: $0.frame) }
        let rendered = try await folder.render(
            RecordingTests.session, script: lines.joined(separator: "\n"), frames: stage.left.count)
        #expect(stage.left.contains { abs($0) > 0.05 })
        #expect(rendered.channels[0] == stage.left)
        #expect(rendered.channels[1] == stage.right)
    }
}
