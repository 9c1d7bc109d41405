import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Recordings in which loops are recorded and recorded over, and the session is edited meanwhile.
@Suite("Recordings of loops that are recorded over", .fewAtATime)
struct LayeredRecordingTests {
    private static let bar = LoopedSession.bar
    private static let bars = 12

    private static let loop = [
        (100, #"{"do": "transport", "action": "play"}"#),
        (bar - 5_000, #"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new"}"#),
    ]
    private static let over = #"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub"}"#
    private static let effect = #"{"do": "addEffect", "track": "u", "type": "filter"}"#
    private static let name = #"{"do": "editTrack", "track": "u", "set": {"name": "Other"}}"#

    /// What is done besides recording a loop in bar 1, and on which frames.
    static let plays: [String: [(Int, String)]] = [
        "an edit of another track while it is recorded over": [
            (3 * bar - 5_000, over), (5 * bar + 9_000, effect), (7 * bar - 5_000, over),
        ],
        "edits, and a layer that is undone, while it is recorded over": [
            (3 * bar - 5_000, over), (4 * bar + 100, name),
            (4 * bar + 30_000, #"{"do": "undoLayer", "clip": "new"}"#), (5 * bar + 60, effect),
            (6 * bar - 5_000, over), (7 * bar + 9_000, #"{"do": "editTrack", "track": "u", "set": {"pan": 0.5}}"#),
            (9 * bar - 5_000, over),
        ],
        "a layer that is taken back and done again as a step": [
            (3 * bar - 5_000, over), (4 * bar - 5_000, over), (6 * bar + 100, #"{"do": "undo"}"#),
            (6 * bar + 9_000, #"{"do": "redo"}"#),
        ],
        "an edit after it was recorded over": [
            (3 * bar - 5_000, over), (4 * bar - 5_000, over), (6 * bar + 9_000, effect), (7 * bar + 1, name),
        ],
        "an edit while it is recorded, and one in the moment in which it ends": [
            (bar + 20_000, effect), (2 * bar + 1, name), (4 * bar, #"{"do": "undo"}"#),
        ],
        "another row for it, whose old one is recorded into, and both rows launched": [
            (3 * bar + 100, #"{"do": "moveClip", "clip": "new", "track": "t", "slot": 5}"#),
            (4 * bar - 5_000, #"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "second"}"#),
            (6 * bar - 5_000, #"{"do": "launchScene", "scene": 5}"#),
            (7 * bar - 5_000, #"{"do": "recordClip", "track": "t", "slot": 5, "mode": "overdub"}"#),
            (9 * bar - 5_000, #"{"do": "launchScene", "scene": 0}"#),
        ],
        "another name and another row for it, and a layer that is undone after that": [
            (3 * bar - 5_000, over), (4 * bar - 5_000, over),
            (6 * bar + 100, #"{"do": "moveClip", "clip": "new", "track": "t", "slot": 3}"#),
            (6 * bar + 9_000, #"{"do": "editClip", "clip": "new", "set": {"name": "Mine"}}"#),
            (7 * bar + 500, #"{"do": "undoLayer", "clip": "new"}"#), (8 * bar + 700, name),
            (9 * bar + 500, #"{"do": "redoLayer", "clip": "new"}"#),
        ],
    ]

    /// A session that has the loop, and what is played of it in place of recording it.
    private static let ready = """
        {"barline": 1, "tempo": 240, "inputs": [{"name": "mic", "monitor": "never"}],
         "tracks": [{"id": "t", "input": "mic", "clips": [{"id": "new", "file": "loop.wav", "beats": 4, "slot": 0}]},
          {"id": "u"}]}
        """
    private static let launch = [
        (100, #"{"do": "transport", "action": "play"}"#), (bar - 5_000, #"{"do": "launch", "clip": "new"}"#),
        (2 * bar + 300, #"{"do": "changeLoop", "clip": "new", "change": "reverse", "quantization": "none"}"#),
    ]

    @Test(
        "A render of it has the very samples that were heard, of a loop that the session had before as well",
        arguments: plays.keys.sorted(), [false, true])
    func recordings(play: String, isReady: Bool) async throws {
        let played = try await LoopedSession(bars: Self.bars, isReady ? Self.ready : RecordRenderTests.document)
        try await played.act(#"{"do": "record", "on": true}"#)
        let before = isReady ? Self.launch : Self.loop
        for (frame, action) in (before + (Self.plays[play] ?? [])).sorted(by: { $0.0 < $1.0 }) {
            Self.play(played, to: frame)
            try await played.act(action)
        }
        Self.play(played, to: (Self.bars - 1) * Self.bar)
        try await played.act(#"{"do": "record", "on": false}"#)
        let files = played.session.recordings.suffix(2).map(\.path)
        let heard = try WaveContents(path: files[1]).channels
        #expect(heard[0].contains { abs($0) > 0.1 })
        played.session.player.takes.finish()
        for block in [1_024, 333] {
            let rendered = try await Self.render(PerformanceScript(path: files[0]), in: played.folder, block)
            let fault = heard[0].indices.first { rendered[0][$0] != heard[0][$0] || rendered[1][$0] != heard[1][$0] }
            #expect(fault == nil && rendered[0].count == heard[0].count, "blocks of \(block)")
            if isReady { continue }
            // What was recorded first is among what is written, whatever became of the loop.
            let take = try WaveContents(path: played.folder.folder.path("takes-\(block)/new.wav")).channels[0]
            let given = played.stage.inputs[0]
            let first = try #require(given.indices.first { given[$0...].starts(with: take.prefix(64)) })
            #expect(take.count == Self.bar && take.elementsEqual(given[first..<first + Self.bar]))
        }
    }

    private static func play(_ played: LoopedSession, to frame: Int) {
        let stage = played.stage
        while stage.left.count < frame {
            let from = stage.left.count
            stage.play(min(512, frame - from))
            played.session.takeAudio(
                left: Array(stage.left[from...]), right: Array(stage.right[from...]), frame: FrameTime(Int64(from)))
        }
    }

    private static func render(
        _ script: PerformanceScript, in folder: SessionFolder, _ block: Int
    ) async throws -> [[Float]] {
        let output = folder.folder.path("again-\(block).wav")
        let script = script.located(beside: folder.path)
        let beginning = try #require(script.beginning)
        let player = try await SessionPlayer(beginning.session, path: folder.path, policy: .lenient) {
            $0.reserveForEditing()
        }
        var render = try OfflineRender(
            player, script: script, frames: try #require(beginning.frames), blockFrames: block,
            output: .init(path: output, takesFolder: folder.folder.path("takes-\(block)")))
        try render.inputs.feed("mic", from: folder.folder.path("mic.wav"), sampleRate: .standard)
        try await render.loadEdits()
        _ = try render.run()
        return try WaveContents(path: output).channels
    }

    @Test("A script calls the clip of a recording what it was called")
    func names() async throws {
        let played = try await LoopedSession(bars: 6)
        let player = played.session.player
        player.startRecording()
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0}"#)
        Self.play(played, to: 2 * Self.bar - 5_000)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0}"#)
        Self.play(played, to: 3 * Self.bar)
        let clip = try #require(played.clip)
        try await played.act(#"{"do": "launch", "clip": "\#(clip.id)"}"#)
        Self.play(played, to: 4 * Self.bar)
        let script = player.recordedScript
        #expect(script.entries.compactMap(\.action.recordedID) == [clip.id])
        let other = try await played.folder.player(RecordRenderTests.document)
        other.hasInputs.store(true, ordering: .relaxed)
        try other.check(script)
    }

    @Test("A press that does nothing, because what it is over waits to be recorded, is in no script")
    func presses() async throws {
        let played = try await LoopedSession(bars: 4)
        let player = played.session.player
        player.startRecording()
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new", "at": 0.5}"#)
        try await played.act(Self.over)
        Self.play(played, to: 3_000)
        try await played.act(Self.over)
        #expect(player.overdubs.isEmpty)
        Self.play(played, to: 3 * Self.bar)
        #expect(played.clip?.id == "new")
        #expect(player.recordedScript.entries.count { $0.action.recordedSlot != nil } == 1)
    }

    @Test("What is asked for right after something was recorded is the same at any block size")
    func blocks() async throws {
        let folder = try LoopedSession.folder(bars: Self.bars)
        let script = """
            {"frame": 0, "do": "transport", "action": "play"}
            {"frame": 10000, "do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new"}
            {"frame": 139000, "do": "recordClip", "track": "t", "slot": 0, "mode": "overdub"}
            {"frame": 240448, "do": "startPosition", "clip": "new", "value": "legato"}
            {"frame": 300000, "do": "keepLast", "track": "u", "slot": 1, "bars": 1, "id": "kept", "input": "mic"}
            {"frame": 300100, "do": "launch", "clip": "kept"}
            """
        var sounds: [[[Float]]] = []
        for block in [64, 333, 4_096] {
            let player = try await folder.player(RecordRenderTests.document)
            let output = folder.folder.path("mix-\(block).wav")
            var render = try OfflineRender(
                player, script: try folder.script(script), frames: Int64(9 * Self.bar), blockFrames: block,
                output: .init(path: output))
            try render.inputs.feed("mic", from: folder.folder.path("mic.wav"), sampleRate: .standard)
            _ = try render.run()
            sounds.append(try WaveContents(path: output).channels)
        }
        #expect((sounds[1] == sounds[0]) as Bool && (sounds[2] == sounds[0]) as Bool)
        // The turn that was over has become a layer: two turns of the input and what was there.
        let input = try WaveContents(path: folder.folder.path("mic.wav")).channels[0]
        let place = 20_000
        let sum = (1...4).filter { $0 != 2 }.reduce(Float(0)) { $0 + input[$1 * Self.bar + place] }
        #expect(abs(sounds[0][0][6 * Self.bar + place] - sum) < 1e-6)
    }
}
