import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// A session that is played by the test, and recorded.
struct StripTakeStage {
    private static let document = """
        {"barline": 1, "name": "Set", "tempo": 133, "launchQuantization": "1/8",
         "inputs": [{"name": "mic", "channels": [1, 2], "monitor": "always", "latency": 700}],
         "tracks": [
          {"id": "t", "gain": -3, "clips": [{"id": "a", "file": "a.wav", "beats": 2, "slot": 0}]},
          {"id": "u", "pan": 0.25, "clips": [{"id": "b", "file": "b.wav", "beats": 4, "slot": 0}]},
          {"id": "v", "input": "mic"},
          {"id": "w", "output": "phones", "clips": [{"id": "c", "file": "b.wav", "beats": 3, "slot": 0}]}],
         "master": {"gain": -2, "limiter": false},
         "stems": [{"id": "s", "file": "long.wav", "gain": -6}], "playlist": [{"id": "p", "file": "long.wav"}]}
        """
    let folder: SessionFolder
    let session: LiveSession
    let stage: Stage
    let block: Int

    init(block: Int = 256, gain: Double = 0, latency: Int = 700) async throws {
        self.block = block
        folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(30_000, seed: 7, level: 0.3))
        try folder.folder.write("b.wav", Sound.tone(50_000, cycles: 99))
        try folder.folder.write("long.wav", Sound.noise(600_000, seed: 11, level: 0.2))
        let player = try await SessionPlayer(
            folder.document(
                StripTakeStage.document.replacing(
                    #""latency": 700"#, with: #""latency": \#(latency), "gain": \#(gain)"#)),
            path: folder.path, policy: .lenient
        ) { $0.reserveForEditing() }
        player.hasInputs.store(true, ordering: .relaxed)
        stage = Stage(player)
        session = LiveSession(player, library: EditStage.library(folder))
        stage.takeEvents = session.takeEvents
        // As the device's side does where it has inputs.
        let input = try #require(player.inputs["mic"])
        try player.engine.inputs.setLatency(latency, of: input)
        var random = TestRandom(seed: 5)
        let noise = (0..<400_000).map { _ in Float(random.double(-0.2...0.2)) }
        stage.inputs = [noise, noise.map { $0 / 2 }]
    }

    @discardableResult
    func act(_ json: String) async throws -> LiveSession.Outcome {
        let value = try JSONValue(parsing: Data(json.utf8))
        return try await session.perform(try ControlAction(value, source: "test"))
    }

    func play(_ frames: Int) { stage.play(frames, block: block, recordedBy: session) }

    /// Ends the recording while the output goes on.
    func stop() async throws -> LiveSession.Outcome {
        let (session, action) = (session, try ControlAction(["do": "record", "on": false], source: "test"))
        async let outcome = session.perform(action)
        for _ in 0..<200 where session.recording != nil {
            play(256)
            try await Task.sleep(for: .milliseconds(1))
        }
        return try await outcome
    }

    func file(_ suffix: String) throws -> WaveContents {
        let recording = try #require(session.recordings.last { $0.name.hasSuffix(suffix) })
        return try WaveContents(path: recording.path)
    }

    /// Plays for a while, is recorded from frame 20,000 on, and plays on.
    func perform() async throws -> LiveSession.Outcome {
        try await act(#"{"do": "launch", "clip": "a"}"#)
        try await act(#"{"do": "launch", "clip": "c"}"#)
        play(20_000)
        try await act(#"{"do": "record", "on": true, "tracks": true}"#)
        play(15_000)
        try await act(#"{"do": "metronome", "on": true}"#)
        try await act(#"{"do": "launch", "clip": "b"}"#)
        try await act(#"{"do": "stems", "action": "play"}"#)
        play(40_000)
        try await act(#"{"do": "gain", "track": "t", "db": -12, "ramp": 2}"#)
        try await act(#"{"do": "tempo", "bpm": 150, "ramp": 4}"#)
        play(45_000)
        return try await stop()
    }

    /// Renders the script of the recording, with a file for what the input gave.
    func render(mic: String, blockFrames: Int) async throws -> (folder: String, report: OfflineRender.Report) {
        let script = try PerformanceScript(
            path: try #require(session.recordings.first { $0.name.hasSuffix(".jsonl") }).path)
        let located = script.located(beside: folder.path)
        let beginning = try #require(located.beginning)
        let frames = try #require(beginning.frames)
        let player = try await SessionPlayer(
            beginning.session, path: folder.path, policy: .lenient
        ) { configuration in
            configuration.eventCapacity = 1 << 17
            configuration.reserveForEditing()
        }
        let output = folder.folder.path("again.wav")
        let apart = folder.folder.path("apart")
        var render = try OfflineRender(
            player, script: located, frames: frames, blockFrames: blockFrames,
            output: .init(path: output, stemsFolder: apart))
        try render.inputs.feed("mic", from: mic, sampleRate: .standard)
        try await render.loadEdits()
        return (apart, try render.run())
    }
}
