import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Loops of a session that are recorded over.
@Suite("Layers of a session", .fewAtATime)
struct LayerSessionTests {
    private static let bar = LoopedSession.bar
    private static let script = """
        {"do": "transport", "action": "play", "frame": 0}
        {"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new", "frame": 40000}
        {"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "feedback": 50, "bars": 2, "frame": 140000}
        {"do": "recordClip", "track": "t", "slot": 0, "mode": "replace", "bars": 1, "frame": 280000}
        {"do": "undoLayer", "clip": "new", "frame": 345000}
        {"do": "undoLayer", "clip": "new", "frame": 346000}
        {"do": "redoLayer", "clip": "new", "frame": 370000}
        """

    private static func render(
        _ folder: SessionFolder, block: Int
    ) async throws -> (mix: WaveContents, player: SessionPlayer) {
        let player = try await folder.player(RecordRenderTests.document)
        let output = OfflineRender.Output(
            path: folder.folder.path("mix.wav"), eventsPath: folder.folder.path("events"),
            takesFolder: folder.folder.path("takes"))
        var render = try OfflineRender(
            player, script: try folder.script(script), frames: Int64(10 * bar), blockFrames: block, output: output)
        try render.inputs.feed("mic", from: folder.folder.path("mic.wav"), sampleRate: .standard)
        _ = try render.run()
        return (try WaveContents(path: folder.folder.path("mix.wav")), player)
    }

    @Test("What is recorded over a loop is the same at any block size, and each layer is written")
    func blocks() async throws {
        let folder = try LoopedSession.folder()
        let (usual, player) = try await Self.render(folder, block: 1_024)
        let input = try WaveContents(path: folder.folder.path("mic.wav")).channels[0]
        let played = usual.channels[0]
        // The second layer has the first one at half its level, and that the loop.
        #expect(
            (100..<Self.bar - 300).allSatisfy { place in
                let first = input[3 * Self.bar + place] + 0.5 * input[Self.bar + place]
                return played[5 * Self.bar + place] == input[4 * Self.bar + place] + 0.5 * first
            })
        #expect((100..<5_000).allSatisfy { played[7 * Self.bar + $0] == input[6 * Self.bar + $0] })
        #expect(
            (20_000..<30_000).allSatisfy { place in
                played[7 * Self.bar + place] == input[3 * Self.bar + place] + 0.5 * input[Self.bar + place]
            })
        #expect((1_000..<40_000).allSatisfy { played[9 * Self.bar + $0] == played[5 * Self.bar + $0] })
        let events = try String(contentsOfFile: folder.folder.path("events"), encoding: .utf8)
        for event in ["layerAdded", "layerUndone", "layerRedone"] { #expect(events.contains(#""event":"\#(event)""#)) }
        let clip = try #require(player.document.tracks[0].clips.first)
        #expect(clip.layers.count == 2 && clip.undoneLayers.count == 1)
        let layer = try WaveContents(path: folder.folder.path("takes/new layer 2.wav")).channels[0]
        #expect((100..<Self.bar - 300).allSatisfy { layer[$0] == played[5 * Self.bar + $0] })
        for frames in [1, 64, 4_096] {
            let (other, _) = try await Self.render(folder, block: frames)
            #expect(other.channels == usual.channels)
        }
    }

    @Test("Loops without names of their own, and those that a session has, are recorded over, and a bare press ends it")
    func nameless() async throws {
        let folder = try LoopedSession.folder()
        let script = """
            {"do": "transport", "action": "play", "frame": 0}
            {"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "frame": 40000}
            {"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "frame": 140000}
            {"do": "recordClip", "track": "t", "slot": 0, "frame": 230000}
            """
        for (document, script) in [
            (RecordRenderTests.document, script),
            (
                RecordRenderTests.document.replacingOccurrences(
                    of: #""input": "mic"}"#,
                    with: """
                        "input": "mic", "clips": [{"id": "there", "file": "mic.wav", "slot": 0, "end": 48000, "beats": 4}]}
                        """),
                script.replacingOccurrences(
                    of: #""recordClip", "track": "t", "slot": 0, "bars": 1"#, with: #""launch", "clip": "there""#)
            ),
        ] {
            let player = try await folder.player(document)
            let output = OfflineRender.Output(path: folder.folder.path("mix.wav"))
            var render = try OfflineRender(
                player, script: try folder.script(script), frames: Int64(6 * Self.bar), blockFrames: 512, output: output
            )
            try render.inputs.feed("mic", from: folder.folder.path("mic.wav"), sampleRate: .standard)
            _ = try render.run()
            #expect(player.document.tracks[0].clips.map(\.layers.count) == [2])
        }
        let into = script.replacingOccurrences(of: #""bars": 1"#, with: #""mode": "overdub""#)
        let player = try await folder.player(RecordRenderTests.document)
        #expect(throws: SessionError.self) {
            try OfflineRender(
                player, script: try folder.script(into), frames: 1, blockFrames: 512,
                output: OfflineRender.Output(path: folder.folder.path("mix.wav")))
        }
    }

    @Test("Played live it is what is rendered, bit for bit")
    func live() async throws {
        let played = try await LoopedSession()
        for line in Self.script.split(separator: "\n") {
            try await played.act(String(line))
            // Each is asked for shortly before it is due.
            let frame = try #require(line.split(separator: " ").last.flatMap { Int($0.dropLast()) })
            played.play(to: max(frame + 1_000, played.stage.left.count))
        }
        played.play(to: 10 * Self.bar)
        let (rendered, _) = try await Self.render(try LoopedSession.folder(), block: 333)
        #expect(played.stage.left == rendered.channels[0] && played.stage.right == rendered.channels[1])
    }

    @Test("A session that is opened again sounds as it was saved, and its layers can be undone")
    func reopened() async throws {
        let played = try await LoopedSession()
        try await played.record()
        played.session.player.takes.finish()
        let saved = try #require(played.clip)
        #expect(saved.layers.count == 1)
        let document = try SessionDocument(played.session.player.document.json, file: played.folder.path)
        #expect(document == played.session.player.document)
        let player = try await SessionPlayer(document, path: played.folder.path) { $0.reserveForEditing() }
        let stage = Stage(player)
        try player.perform(.transport(isRolling: true), at: FrameTime.zero)
        try player.perform(.launch(clip: "new"), at: FrameTime(100))
        try player.perform(.layer(.undo(clip: "new")), at: FrameTime(Int64(2 * Self.bar)))
        try player.perform(.layer(.redo(clip: "new")), at: FrameTime(Int64(3 * Self.bar)))
        while stage.left.count < 4 * Self.bar { stage.play(512) }
        let range = 1_000..<Self.bar - 1_000
        #expect(range.allSatisfy { stage.left[Self.bar + $0] == played.stage.left[5 * Self.bar + $0] })
        #expect(range.allSatisfy { stage.left[2 * Self.bar + $0] == played.stage.left[2 * Self.bar + $0] })
        #expect(range.allSatisfy { stage.left[3 * Self.bar + $0] == played.stage.left[5 * Self.bar + $0] })
        #expect(player.document.tracks[0].clips.first == saved)
    }

    @Test("A layer whose file is not there is named, and where it is found it can be gone to")
    func missing() async throws {
        let played = try await LoopedSession()
        try await played.record()
        played.session.player.takes.finish()
        let document = played.session.player.document
        let below = try #require(played.clip?.layers.first).file
        let (place, away) = (played.folder.folder.path(below), played.folder.folder.path("away.wav"))
        try FileManager.default.moveItem(atPath: place, toPath: away)
        let again = try await LoopedSession(document, in: played.folder)
        let player = again.session.player
        #expect(player.warnings.count == 1 && player.warnings[0].contains("tracks[0].clips[0].layers[0].file"))
        #expect(player.clips["new"]?.problem == nil)
        #expect(player.clips["new"]?.missingLayers.files == [below])
        await #expect(throws: SessionError.self) { try await again.act(#"{"do": "undoLayer", "clip": "new"}"#) }
        try await again.act(#"{"do": "redoLayer", "clip": "new"}"#)
        try FileManager.default.moveItem(atPath: away, toPath: place)
        try await again.act(#"{"do": "findFiles"}"#)
        #expect(player.warnings.isEmpty && player.clips["new"]?.missingLayers.files == [])
        try await again.act(#"{"do": "transport", "action": "play"}"#)
        try await again.act(#"{"do": "launch", "clip": "new"}"#)
        again.play(to: 2 * Self.bar)
        try await again.act(#"{"do": "undoLayer", "clip": "new"}"#)
        again.play(to: 4 * Self.bar)
        #expect(again.clip?.file == below)
        let range = 1_000..<Self.bar - 1_000
        // The launch falls into the first bar, for which the transport begins.
        #expect(range.allSatisfy { again.stage.left[3 * Self.bar + $0] == played.stage.left[2 * Self.bar + $0] })
    }

    @Test("The file of a layer has what its end leads to, also where it was written while the layer was recorded")
    func lead() async throws {
        let played = try await LoopedSession()
        let player = played.session.player
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        played.play(to: Self.bar - 5_000)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new"}"#)
        played.play(to: 3 * Self.bar - 5_000)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "bars": 1}"#)
        played.play(to: 4 * Self.bar - 1_000)
        player.takes.finish()
        played.play(to: 6 * Self.bar)
        player.takes.finish()
        let layer = try #require(played.clip)
        let handle = try #require(player.clipTable["new"]?.handle)
        let take = try #require(player.engine.launcher.layers(of: handle).last?.take)
        let file = try WaveContents(
            path: URL(fileURLWithPath: layer.file, relativeTo: URL(fileURLWithPath: played.folder.path)).path)
        take.withSamples(from: 0) { left, right in
            let frames = layer.start - 240..<(layer.end ?? 0)
            #expect(frames.allSatisfy { file.channels[0][$0] == left[$0] && file.channels[1][$0] == right[$0] })
        }
    }

    @Test("A layer is a step of undo; undone it sounds as before, and no file goes away")
    func steps() async throws {
        let played = try await LoopedSession()
        try await played.record()
        played.session.player.takes.finish()
        let layered = try #require(played.clip)
        try await played.act(#"{"do": "undo"}"#)
        let bare = try #require(played.clip)
        #expect(bare.layers.isEmpty && bare.file == layered.layers.first?.file)
        played.play(to: 7 * Self.bar)
        let range = 1_000..<Self.bar - 1_000
        #expect(range.allSatisfy { played.stage.left[6 * Self.bar + $0] == played.stage.left[2 * Self.bar + $0] })
        try await played.act(#"{"do": "redo"}"#)
        #expect(played.clip == layered)
        // What was undone by the one is there for the other.
        try await played.act(#"{"do": "undoLayer", "clip": "new"}"#)
        played.play(to: 9 * Self.bar)
        #expect(played.clip?.file == bare.file && played.clip?.undoneLayers.count == 1)
        #expect(range.allSatisfy { played.stage.left[8 * Self.bar + $0] == played.stage.left[2 * Self.bar + $0] })
        try await played.act(#"{"do": "editClip", "clip": "new", "set": {"gain": -6}}"#)
        try await played.act(#"{"do": "redoLayer", "clip": "new"}"#)
        played.play(to: 10 * Self.bar)
        #expect(played.clip?.layers.count == 1 && played.clip?.file == layered.file)
        for file in layered.files {
            let path = URL(fileURLWithPath: file, relativeTo: URL(fileURLWithPath: played.folder.path)).path
            #expect(FileManager.default.fileExists(atPath: path))
        }
        for _ in 0..<5 { try await played.act(#"{"do": "undo"}"#) }
        #expect(played.clip == nil)
    }
    @Test("While the tempo is on its way a loop is not recorded over, which is reported in words, and afterwards it is")
    func ramp() async throws {
        let played = try await LoopedSession()
        try await played.record()
        #expect(played.session.takeNotices().isEmpty)
        try await played.act(#"{"do": "tempo", "bpm": 200, "ramp": 8}"#)
        played.play(to: 6 * Self.bar + 10_000)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "bars": 1}"#)
        played.play(to: 8 * Self.bar)
        #expect(played.session.player.overdubs.isEmpty && played.clip?.layers.count == 1)
        let told = played.session.takeNotices().map(\.words)
        #expect(told.count == 1 && told.first?.hasPrefix("“new” is not recorded over: the tempo is on its way") == true)
        played.play(to: 9 * Self.bar)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "bars": 1}"#)
        played.play(to: 13 * Self.bar)
        #expect(played.clip?.layers.count == 2 && played.session.takeNotices().isEmpty)
    }

    @Test("While a loop is recorded over, its name, colour and place can change; what it sounds like can't")
    func edited() async throws {
        let looped = try await LoopedSession()
        let (bar, input) = (Self.bar, looped.stage.inputs[0])
        try await looped.record()
        looped.play(to: 7 * bar - 5_000)
        try await looped.act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "bars": 2}"#)
        func edit() async throws {
            for set in [#"{"name": "Verse"}"#, ##"{"color": "#ff0000"}"##] {
                try await looped.act(#"{"do": "editClip", "clip": "new", "set": \#(set)}"#)
            }
            try await looped.act(#"{"do": "moveClip", "clip": "new", "slot": 3}"#)
            try await looped.act(#"{"do": "moveClip", "clip": "new", "slot": 0}"#)
            for refused in [
                #"{"do": "editClip", "clip": "new", "set": {"gain": -3}}"#,
                #"{"do": "moveClip", "clip": "new", "track": "u", "slot": 0}"#,
            ] { await #expect(throws: SessionError.self) { try await looped.act(refused) } }
        }
        try await edit()
        looped.play(to: 7 * bar + 20_000)
        try await edit()
        // In the second turn the loop is what was recorded meanwhile.
        looped.play(to: 8 * bar + 20_000)
        try await edit()
        looped.play(to: 11 * bar)
        #expect(looped.clip?.layers.count == 3 && looped.clip?.name == "Verse")
        let below = (0..<bar).map { input[3 * bar + $0] + input[bar + $0] }
        #expect(
            (1_000..<bar - 1_000).allSatisfy {
                looped.hears[10 * bar + $0] == input[8 * bar + $0] + (input[7 * bar + $0] + below[$0])
            })
        try await looped.act(#"{"do": "editClip", "clip": "new", "set": {"gain": -3}}"#)
    }

    @Test("What was recorded is drawn as soon as it is whole, and so is the layer that is gone back to, also later")
    func drawn() async throws {
        let looped = try await LoopedSession()
        let (bar, input) = (Self.bar, looped.stage.inputs[0])
        let base = Array(input[bar + 1_000..<2 * bar - 1_000])
        let layered = (1_000..<bar - 1_000).map { input[3 * bar + $0] + input[bar + $0] }
        func shown(_ looped: LoopedSession) -> [Float]? {
            guard let binding = looped.session.player.clipTable["new"], let audio = binding.audio else { return nil }
            let first = audio.samples.left + binding.document.start
            return (1_000..<bar - 1_000).map { first[$0] }
        }
        func comes(_ sound: [Float], _ looped: LoopedSession) async throws -> Bool {
            for _ in 0..<500 {
                if let shown = shown(looped) { return shown == sound }
                looped.play(to: looped.hears.count + 64)
                try await Task.sleep(for: .milliseconds(10))
            }
            return false
        }
        try await looped.act(#"{"do": "transport", "action": "play"}"#)
        looped.play(to: bar - 5_000)
        try await looped.act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new"}"#)
        looped.play(to: 2 * bar + 30_000)
        #expect(shown(looped) == base)
        looped.play(to: 3 * bar - 5_000)
        try await looped.act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "bars": 1}"#)
        looped.play(to: 5 * bar)
        #expect(shown(looped) == layered)
        try await looped.act(#"{"do": "undoLayer", "clip": "new"}"#)
        looped.play(to: 5 * bar + 1_000)
        #expect(try await comes(base, looped))
        try await looped.act(#"{"do": "redoLayer", "clip": "new"}"#)
        looped.play(to: 5 * bar + 2_000)
        #expect(try await comes(layered, looped))
        looped.play(to: 7 * bar)
        looped.session.player.takes.finish()
        let again = try await LoopedSession(looped.session.player.document, in: looped.folder)
        try await again.act(#"{"do": "undoLayer", "clip": "new"}"#)
        again.play(to: 1_000)
        #expect(try await comes(base, again))
    }
}
