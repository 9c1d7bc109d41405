import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Sessions whose first loop says the tempo.
@Suite("First loops of a session", .fewAtATime)
struct FirstLoopSessionTests {
    private static let document = """
        {"barline": 1, "tempo": 97, "tempoFromFirstLoop": true, "inputs": [{"name": "mic", "monitor": "never"}],
         "tracks": [{"id": "t", "input": "mic"}, {"id": "u", "input": "mic"}]}
        """
    private static let script = """
        {"do": "recordClip", "track": "t", "slot": 0, "id": "one", "frame": 30000}
        {"do": "recordClip", "track": "t", "slot": 0, "frame": 130001}
        {"do": "recordClip", "track": "u", "slot": 0, "bars": 1, "id": "two", "frame": 140000}
        """

    @Test("A script that begins with a loop renders the same at any block size, and later loops keep to its tempo")
    func rendered() async throws {
        var mixes: [[[Float]]] = []
        for block in [1_024, 64, 333] {
            let folder = try LoopedSession.folder()
            let player = try await folder.player(Self.document)
            let output = OfflineRender.Output(
                path: folder.folder.path("mix.wav"), takesFolder: folder.folder.path("takes"))
            var render = try OfflineRender(
                player, script: try folder.script(Self.script), frames: 470_000, blockFrames: block, output: output)
            try render.inputs.feed("mic", from: folder.folder.path("mic.wav"), sampleRate: .standard)
            _ = try render.run()
            let source = try WaveContents(path: folder.folder.path("mic.wav")).channels[0]
            let one = try WaveContents(path: folder.folder.path("takes/one.wav")).channels[0]
            let two = try WaveContents(path: folder.folder.path("takes/two.wav")).channels[0]
            #expect(one.elementsEqual(source[30_000..<130_001]))
            // It is four beats long: the next bar line is where it comes round.
            #expect(two.elementsEqual(source[230_002..<330_003]))
            let seconds = 100_001.0 / 48_000
            #expect(player.document.tempo == 240 / seconds)
            mixes.append(try WaveContents(path: folder.folder.path("mix.wav")).channels)
        }
        #expect(mixes[1] == mixes[0] && mixes[2] == mixes[0])
    }

    @Test("A stop of the transport, which stands, ends it on its frame")
    func stopped() async throws {
        let looped = try await LoopedSession(Self.document)
        looped.play(to: 5_000)
        try await looped.act(#"{"do": "recordClip", "track": "t", "slot": 0, "id": "one"}"#)
        looped.play(to: 105_000)
        try await looped.act(#"{"do": "transport", "action": "stop"}"#)
        looped.play(to: 110_000)
        let clip = try #require(looped.clip)
        #expect(clip.id == "one" && clip.end.map { $0 - clip.start } == 100_000)
        #expect(!looped.session.player.engine.state.transport.isRolling)
        #expect(looped.session.player.openTakes.isEmpty)
    }

    @Test("Undo takes the loop and its tempo away; another number of beats makes another tempo of it")
    func undone() async throws {
        let folder = try LoopedSession.folder()
        let player = try await SessionPlayer(folder.document(Self.document), path: folder.path) {
            $0.reserveForEditing()
        }
        player.hasInputs.store(true, ordering: .relaxed)
        let stage = Stage(player)
        stage.inputs = try WaveContents(path: folder.folder.path("mic.wav")).channels
        let session = LiveSession(player, library: EditStage.library(folder))
        stage.takeEvents = session.takeEvents
        func act(_ json: String) async throws {
            let value = try JSONValue(parsing: Data(json.utf8))
            _ = try await session.perform(try ControlAction(value, source: "test"))
        }
        func play(_ frames: Int) { for _ in 0..<frames / 512 { stage.play(512) } }
        play(5_120)
        try await act(#"{"do": "recordClip", "track": "t", "slot": 0, "id": "one"}"#)
        play(102_400)
        try await act(#"{"do": "recordClip", "track": "t", "slot": 0}"#)
        play(51_200)
        let clip = try #require(player.document.tracks[0].clips.first)
        let length = try #require(clip.end) - clip.start
        let seconds = Double(length) / 48_000
        let tempo = 240 / seconds
        #expect(length == 102_400 && clip.beats == 4 && player.document.tempo == tempo)
        #expect(player.engine.state.transport.tempo.beatsPerMinute == tempo)
        #expect(player.engine.state.tracks[0].playing != nil)
        try await act(#"{"do": "tempoFromClip", "clip": "one", "beats": 6}"#)
        play(5_120)
        #expect(player.document.tracks[0].clips[0].beats == 6)
        #expect(abs(player.engine.state.transport.tempo.beatsPerMinute - 1.5 * tempo) < 1e-9)
        try await act(#"{"do": "undo"}"#)
        play(5_120)
        #expect(player.document.tempo == tempo && player.document.tracks[0].clips[0].beats == 4)
        try await act(#"{"do": "undo"}"#)
        play(5_120)
        #expect(player.document.tempo == 97 && player.document.tracks[0].clips.isEmpty)
        #expect(player.engine.state.transport.tempo.beatsPerMinute == 97)
    }
}
