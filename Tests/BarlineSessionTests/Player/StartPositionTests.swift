import BarlineTestSupport
import BarlineTime
import Testing

@testable import BarlineSession

/// Clips that change where in themselves they start.
@Suite("Start positions in a session", .fewAtATime)
struct StartPositionTests {
    static let session = """
        {"barline": 1, "tempo": 120, "firstLaunch": "immediate", "launchQuantization": "1 bar",
         "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav", "beats": 7, "startPosition": "START"}]}]}
        """

    private func session(_ start: String) -> String {
        StartPositionTests.session.replacing("START", with: start)
    }

    /// A ramp over its 7 beats at 120 BPM: every sample is its place.
    private func place(_ sample: Float) -> Double { Double(sample) * 168_000 / 0.9 }

    @Test("An action moves a playing clip to the grid's time base and back, on its frame")
    func action() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", WaveFile((0..<168_000).map { 0.9 * Double($0) / 168_000 }).bytes)
        let contents = try await folder.render(
            session("fromStart"),
            script: """
                {"frame": 0, "do": "transport", "action": "play"}
                {"frame": 5000, "do": "launch", "clip": "a"}
                {"frame": 110000, "do": "startPosition", "clip": "a", "value": "synced"}
                {"frame": 130000, "do": "startPosition", "clip": "a", "value": "fromStart"}
                """, frames: 150_000)
        // Launched on bar 2, at frame 96 000.
        for (frame, origin) in [(109_999, 96_000), (110_250, 0), (129_999, 0), (130_250, 96_000), (149_000, 96_000)] {
            #expect(abs(place(contents.channels[0][frame]) - Double(frame - origin)) < 1)
        }
    }

    @Test("What is recorded of it renders the same samples")
    func recording() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(70_000, seed: 2))
        let stage = Stage(try await folder.player(session("synced")))
        stage.player.startRecording()
        try stage.player.perform(.transport(isRolling: true))
        for (index, value) in ["legato", "fromStart", "synced", "fromStart"].enumerated() {
            for _ in 0..<40 { stage.play(1000) }
            if index == 0 { try stage.player.perform(.launch(clip: "a")) }
            let action = #"{"do": "startPosition", "clip": "a", "value": "\#(value)"}"#
            try stage.player.perform(try ScriptAction(json: action, source: "test"))
        }
        for _ in 0..<40 { stage.play(1000) }
        let script = stage.player.recordedScript
        let lines = script.schedule(at: .standard).map { PerformanceScript.line($0.entry.action, at: $0.frame) }
        let rendered = try await folder.render(
            session("synced"), script: lines.joined(separator: "\n"), frames: stage.left.count)
        #expect(rendered.channels[0] == stage.left && stage.left.contains { $0 != 0 })
    }

    @Test("A wrong position or clip is reported")
    func wrong() async throws {
        for words in [#""clip": "a", "value": "middle""#, #""clip": "a""#, #""value": "synced""#] {
            #expect(throws: SessionError.self) {
                _ = try ScriptAction(json: #"{"do": "startPosition", \#(words)}"#, source: "s")
            }
        }
    }

    @Test("The threshold of clock jumps is read in milliseconds, kept and checked")
    func resyncThreshold() async throws {
        let folder = try SessionFolder()
        #expect(try folder.document(#"{"barline": 1}"#).resyncThreshold == 10)
        let player = try await folder.player(#"{"barline": 1, "resyncThreshold": 25}"#)
        #expect(player.engine.configuration.resyncThreshold == 0.025)
        #expect(player.document.json == (try folder.document(#"{"barline": 1, "resyncThreshold": 25}"#).json))
        let error = try #require(throws: SessionError.self) {
            try folder.document(#"{"barline": 1, "resyncThreshold": -1}"#)
        }
        #expect("\(error)".hasPrefix("\(folder.path): resyncThreshold: "))
    }
}
