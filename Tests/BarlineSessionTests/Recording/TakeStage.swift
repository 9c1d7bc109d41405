import BarlineEngine
import BarlineSession
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

/// A session whose recordings are rendered again; the test asks for the blocks.
struct TakeStage {
    let folder: SessionFolder
    let session: LiveSession
    let stage: Stage

    /// Two tracks of clips, stems, a list, a tempo that differs from the usual one.
    static let document = """
        {"barline": 1, "name": "Set", "tempo": 133, "launchQuantization": "1/8",
         "scenes": [{"name": "Intro"}, {"name": "Drop", "tempo": 171}],
         "tracks": [
          {"id": "t", "name": "One", "gain": -3,
           "clips": [{"id": "a", "file": "a.wav", "beats": 2, "slot": 0}, {"id": "b", "file": "b.wav", "beats": 3, "slot": 1}]},
          {"id": "u", "name": "Two", "pan": 0.25,
           "clips": [{"id": "c", "file": "b.wav", "beats": 4, "slot": 0, "quantization": "none"},
                     {"id": "d", "file": "a.wav", "beats": 1, "slot": 1, "launchMode": "toggle"}]},
          {"id": "v", "name": "Three", "clips": [{"id": "e", "file": "c.wav", "playback": "original", "slot": 0}]}],
         "stems": [{"id": "s", "file": "long.wav", "gain": -6}],
         "playlist": [{"id": "p1", "file": "c.wav"}, {"id": "p2", "file": "b.wav"}]}
        """

    init() async throws {
        folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(30_000, seed: 7))
        try folder.folder.write("b.wav", Sound.tone(50_000, cycles: 99))
        try folder.folder.write("c.wav", Sound.noise(61_000, seed: 9))
        try folder.folder.write("long.wav", Sound.noise(600_000, seed: 11))
        let player = try await SessionPlayer(
            folder.document(TakeStage.document), path: folder.path, policy: .lenient
        ) { configuration in
            configuration.reserveForEditing()
        }
        stage = Stage(player)
        session = LiveSession(player, library: EditStage.library(folder))
        stage.takeEvents = session.takeEvents
    }

    /// Plays blocks, and hands over what they sound like.
    func play(_ frames: Int, block: Int = 256) {
        stage.play(frames, block: block, recordedBy: session)
    }

    @discardableResult
    func act(_ json: String) async throws -> LiveSession.Outcome {
        let value = try JSONValue(parsing: Data(json.utf8))
        return try await session.perform(try ControlAction(value, source: "test"))
    }

    /// Records what is done, and expects that its script sounds as it did.
    func expectSame(recording body: () async throws -> Void) async throws {
        try await act(#"{"do": "record", "on": true}"#)
        try await body()
        try await act(#"{"do": "record", "on": false}"#)
        try await expectSame()
    }

    /// What the last recording sounds like, and what its script sounds like.
    func take() async throws -> (heard: WaveContents, rendered: WaveContents, script: PerformanceScript) {
        let files = session.recordings.suffix(2).map(\.path)
        let script = try PerformanceScript(path: files[0])
        return (try WaveContents(path: files[1]), try await render(script), script)
    }

    /// Renders a recorded script as `barline render` does.
    func render(_ script: PerformanceScript, blockFrames: Int = 1024) async throws -> WaveContents {
        let output = folder.folder.path("again-\(blockFrames).wav")
        let script = script.located(beside: folder.path)
        guard let beginning = script.beginning, let frames = beginning.frames else { throw NoBeginning() }
        let player = try await SessionPlayer(beginning.session, path: folder.path, policy: .lenient) { configuration in
            configuration.eventCapacity = 1 << 17
            configuration.reserveForEditing()
        }
        var render = try OfflineRender(
            player, script: script, frames: frames, blockFrames: blockFrames, output: .init(path: output))
        try await render.loadEdits()
        _ = try render.run()
        return try WaveContents(path: output)
    }

    /// Expects that the script of the last recording sounds as what was heard, to the bit, at any block size.
    func expectSame(_ comment: Comment? = nil) async throws {
        let (heard, rendered, script) = try await take()
        #expect(heard.channels[0].contains { abs($0) > 0.05 }, comment)
        for (left, right) in zip(rendered.channels, heard.channels) {
            let differing = zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            #expect(differing == nil && left.count == right.count, comment)
        }
        let blocks = try await render(script, blockFrames: 333)
        #expect((blocks.channels == rendered.channels) as Bool, comment)
    }

    struct NoBeginning: Error {}
}
