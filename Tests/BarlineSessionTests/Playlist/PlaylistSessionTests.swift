import BarlineTestSupport
import Foundation
import BarlineTime
import Testing

@testable import BarlineSession

/// The playlist of a session, rendered.
@Suite("The playlist of a session", .fewAtATime)
struct PlaylistSessionTests {
    static let session = """
        {"barline": 1, "playlist": [
          {"id": "p1", "file": "a.wav"}, {"id": "p2", "file": "b.wav", "title": "Second", "mood": "calm"},
          {"id": "p3", "file": "a.wav", "start": 1000, "end": 5000, "gain": -6}]}
        """

    private func folder() throws -> SessionFolder {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(20_000, seed: 1))
        try folder.folder.write("b.wav", Sound.noise(30_001, seed: 2))
        try folder.folder.write("c.wav", Sound.noise(5_000, seed: 3))
        return folder
    }

    private func samples(_ folder: SessionFolder, _ name: String) throws -> [Float] {
        try WaveContents(path: folder.folder.path(name)).channels[0]
    }

    private func itemEvents(_ text: String) -> [String] {
        text.split(separator: "\n").filter { $0.contains("item") && !$0.contains("itemTime") }.map(String.init)
    }

    @Test("Items are played as the script says, each edit on its frame", arguments: [64, 1_000, 8_192])
    func script(blockFrames: Int) async throws {
        let folder = try folder()
        let script = """
            {"frame": 700, "do": "playlist", "action": "play", "index": 0}
            {"frame": 9000, "do": "playlist", "action": "insert", "index": 1, "file": "c.wav", "id": "p9"}
            {"frame": 10000, "do": "playlist", "action": "remove", "index": 2}
            {"frame": 11000, "do": "playlist", "action": "move", "from": 2, "to": 1}
            """
        let mix = try await folder.render(
            PlaylistSessionTests.session, script: script, frames: 40_000, blockFrames: blockFrames,
            events: "events.jsonl")
        let a = try samples(folder, "a.wav")
        let gain = Float(pow(10, -6.0 / 20))
        let expected =
            [Float](repeating: 0, count: 700) + a + a[1_000..<5_000].map { $0 * gain } + (try samples(folder, "c.wav"))
        for (frame, sample) in expected.enumerated() {
            let isRight = abs(mix.channels[0][frame] - sample) < 1e-7
            #expect(isRight, "frame \(frame)")
            if !isRight { break }
        }
        #expect(
            itemEvents(try folder.folder.text("events.jsonl")) == [
                #"{"event":"itemStarted","frame":700,"item":"p1"}"#,
                #"{"event":"itemEnded","frame":20700,"item":"p1"}"#,
                #"{"event":"itemStarted","frame":20700,"item":"p3"}"#,
                #"{"event":"itemEnded","frame":24700,"item":"p3"}"#,
                #"{"event":"itemStarted","frame":24700,"item":"p9"}"#,
                #"{"event":"itemEnded","frame":29700,"item":"p9"}"#,
            ])
    }

    @Test("A list that begins with a crossfade of the session begins: nothing is said to be sought")
    func begins() async throws {
        let folder = try folder()
        let session = PlaylistSessionTests.session.replacingOccurrences(
            of: "\"playlist\":", with: "\"playlistSettings\": {\"crossfade\": 0.1}, \"playlist\":")
        _ = try await folder.render(
            session, script: #"{"frame": 0, "do": "playlist", "action": "play"}"#, frames: 20_000,
            events: "events.jsonl")
        let events = itemEvents(try folder.folder.text("events.jsonl"))
        #expect(events.first == #"{"event":"itemStarted","frame":0,"item":"p1"}"#)
        #expect(!events.contains { $0.contains("itemSeeked") })
    }

    @Test("A playlist plays beside clips' tracks, with a fader of its own", arguments: [false, true])
    func fader(isOfSession: Bool) async throws {
        let folder = try folder()
        var session = PlaylistSessionTests.session
        var script = #"{"frame": 0, "do": "playlist", "action": "play"}"#
        if isOfSession {
            session = session.replacingOccurrences(
                of: "\"playlist\":", with: "\"playlistSettings\": {\"gain\": -20}, \"playlist\":")
        } else {
            script = #"{"frame": 0, "do": "playlist", "action": "gain", "db": -20}"# + "\n" + script
        }
        let mix = try await folder.render(session, script: script, frames: 20_000)
        let a = try samples(folder, "a.wav")
        for frame in 240..<20_000 { #expect(abs(mix.channels[0][frame] - a[frame] * 0.1) < 1e-6) }
    }

    @Test("How the list goes on is the session's: read, written, heard and taken back")
    func settings() async throws {
        let stage = try await EditStage()
        let actions = [
            #"{"do": "playlist", "action": "insert", "index": 0, "file": "a.wav"}"#,
            #"{"do": "playlist", "action": "repeat", "value": "all"}"#,
            #"{"do": "playlist", "action": "crossfade", "seconds": 3}"#,
            #"{"do": "playlist", "action": "gain", "db": -4}"#,
        ]
        for action in actions { try await stage.act(action) }
        let document = try SessionDocument(stage.document.json, file: "again")
        #expect(document.playlistSettings.repeat == .all && document.playlistSettings.crossfade == 3)
        #expect(document.playlistSettings.gain == -4 && document.playlist.count == 1)
        let again = try await SessionPlayer(document, path: stage.folder.path, policy: .lenient)
        #expect(again.playlist.player.modes.repeat == .all && again.playlist.player.crossfade == 3)
        for _ in actions { try await stage.act(#"{"do": "undo"}"#) }
        #expect(stage.document.playlist.isEmpty && stage.document.playlistSettings == PlaylistSettings())
        #expect(stage.session.player.playlist.player.crossfade == 0)
        #expect(stage.session.player.playlist.player.modes.repeat == .off)
    }

    @Test("An item that was consumed does not come back with an edit of something else")
    func consumed() async throws {
        let stage = try await EditStage()
        for action in [
            #"{"do": "playlist", "action": "insert", "index": 0, "file": "b.wav", "id": "first"}"#,
            #"{"do": "playlist", "action": "insert", "index": 1, "file": "a.wav", "id": "second"}"#,
            #"{"do": "playlist", "action": "consume", "on": true}"#, #"{"do": "playlist", "action": "play"}"#,
        ] {
            try await stage.act(action)
        }
        let player = stage.session.player
        for _ in 0..<60 {
            player.playlist.player.feed()
            stage.stage.play(1_000)
        }
        #expect(stage.document.playlist.map(\.id) == ["second"])
        try await stage.act(#"{"do": "editClip", "clip": "a", "set": {"name": "other"}}"#)
        #expect(player.playlist.documents.map(\.id) == ["second"])
    }

    @Test("What is undone where an item left the list is called so, also where it was passed over")
    func consumedStep() async throws {
        let stage = try await EditStage()
        for action in [
            #"{"do": "playlist", "action": "insert", "index": 0, "file": "b.wav", "id": "first"}"#,
            #"{"do": "playlist", "action": "insert", "index": 1, "file": "a.wav", "id": "second"}"#,
            #"{"do": "playlist", "action": "consume", "on": true}"#, #"{"do": "playlist", "action": "play"}"#,
        ] { try await stage.act(action) }
        let player = stage.session.player
        func play(_ blocks: Int) {
            for _ in 0..<blocks {
                player.playlist.player.feed()
                stage.stage.play(1_000)
                _ = stage.session.takeEvents()
            }
        }
        play(5)
        #expect(stage.session.status.undo == "Change playlist")
        try await stage.act(#"{"do": "playlist", "action": "next"}"#)
        play(5)
        try await stage.act(#"{"do": "playlist", "action": "pause"}"#)
        #expect(stage.document.playlist.map(\.id) == ["second"])
        #expect(stage.session.status.undo == "Play list items")
    }

    @Test("An item plays on while its session is saved under another name, and begins anew where that is opened")
    func savedAs() async throws {
        let stage = try await EditStage()
        for action in [
            #"{"do": "playlist", "action": "insert", "index": 0, "file": "a.wav", "id": "first"}"#,
            #"{"do": "playlist", "action": "play"}"#,
        ] {
            try await stage.act(action)
        }
        let player = stage.session.player
        func play(_ blocks: Int) {
            for _ in 0..<blocks {
                player.playlist.player.feed()
                stage.stage.play(1_000)
            }
        }
        play(5)
        let before = player.engine.state.playlist
        try await stage.act(#"{"do": "saveAs", "name": "Elsewhere"}"#)
        play(3)
        let after = player.engine.state.playlist
        #expect(after.currentItem == before.currentItem && after.phase == .playing)
        #expect(abs(after.position - before.position - 3_000.0 / 48_000) < 1e-9)
        let file = try #require(stage.document.playlist.first?.file)
        #expect(FileManager.default.fileExists(atPath: player.playlist.path(of: file)))
        #expect(player.playlist.documents.map(\.file) == [file])
        try await stage.act(#"{"do": "saveAs", "name": "Third"}"#)
        try await stage.act(#"{"do": "open", "name": "Elsewhere"}"#)
        play(2)
        #expect(player.engine.state.playlist.phase == .stopped && player.engine.state.playlist.position == 0)
    }

    @Test("What is recorded of a playlist renders the same samples")
    func recording() async throws {
        let folder = try folder()
        let player = try await folder.player(PlaylistSessionTests.session)
        player.startRecording()
        for (frame, line) in [
            (0, #"{"do": "playlist", "action": "shuffle"}"#), (0, #"{"do": "playlist", "action": "play"}"#),
            (5_000, #"{"do": "playlist", "action": "insert", "index": 1, "file": "c.wav"}"#),
            (8_000, #"{"do": "playlist", "action": "next"}"#),
            (9_000, #"{"do": "playlist", "action": "crossfade", "seconds": 0.05}"#),
        ] {
            try player.perform(try ScriptAction(json: line, source: "test"), at: FrameTime(Int64(frame)))
        }
        // What is for later is decided when that is near.
        let stage = Stage(player)
        for _ in 0..<9 {
            player.playlist.player.feed()
            stage.play(1_000)
        }
        let script = player.recordedScript
        #expect(script.entries.count == 5)
        let texts = script.entries.map { PerformanceScript.line($0.action, at: $0.time.frame(at: .standard) ?? .zero) }
        #expect(texts[0].contains(#""seed":"#), "an order at random can be had again")
        #expect(texts[2].contains(#""id":"p4""#), "an item that got no name is given one")
        #expect(try PerformanceScript(text: texts.joined(separator: "\n"), path: "again").entries.count == 5)
    }

    @Test("An item is called as the list says, else as its tags say, else as its file")
    func titles() async throws {
        let folder = try folder()
        try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-loglevel", "error", "-i", folder.folder.path("c.wav"), "-metadata", "title=Third",
                "-metadata", "artist=Somebody", folder.folder.path("c.flac"),
            ])
        let player = try await folder.player(
            """
            {"barline": 1, "playlist": [{"id": "p1", "file": "a.wav"}, {"id": "p2", "file": "c.flac", "title": "Mine"},
             {"id": "p3", "file": "c.flac"}]}
            """)
        let items = player.playlist.player.items
        #expect(items.map { player.playlist.title(of: $0.id) } == ["a", "Mine", "Somebody – Third"])
        #expect(items.map { player.playlist.name(of: $0.id) } == ["a", "Mine", "c"])
    }

    @Test(
        "What can't be done is told by key",
        arguments: [
            (#"{"do": "playlist", "action": "jump"}"#, "action"),
            (#"{"do": "playlist", "action": "insert", "index": 0}"#, "file"),
            (#"{"do": "playlist", "action": "insert", "index": -1, "file": "a.wav"}"#, "index"),
            (#"{"do": "playlist", "action": "insert", "index": 0, "file": "a.wav", "id": "p2"}"#, "id"),
            (#"{"do": "playlist", "action": "remove"}"#, "index"),
            (#"{"do": "playlist", "action": "seek"}"#, "position"),
            (#"{"do": "playlist", "action": "crossfade", "seconds": 99}"#, "seconds"),
            (#"{"do": "playlist", "action": "play", "index": 3}"#, "no item 3"),
        ])
    func refusals(line: String, key: String) async throws {
        let player = try await folder().player(PlaylistSessionTests.session)
        let error = #expect(throws: SessionError.self) {
            try player.perform(try ScriptAction(json: line, source: "script"))
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains(key))
    }

    @Test("A playlist is kept as it is, with what this version does not know")
    func document() throws {
        let folder = try folder()
        let document = try folder.document(PlaylistSessionTests.session)
        #expect(document.playlist.map(\.id) == ["p1", "p2", "p3"])
        guard case .object(let json) = document.json, case .array(let items)? = json["playlist"] else {
            Issue.record("no playlist was written")
            return
        }
        #expect(items[1] == .object(["id": "p2", "file": "b.wav", "title": "Second", "mood": "calm"]))
    }

    @Test("Items that come one by one have identifiers of their own, however many there are", .timeLimit(.minutes(10)))
    func manyItems() async throws {
        let player = try await folder().player(PlaylistSessionTests.session)
        let count = 3_000
        for index in 0..<count {
            try player.perform(.playlist(.insert(index: index, file: "c.wav", id: nil, title: nil)))
        }
        let ids = player.document.playlist.map(\.id)
        #expect(ids.count == count + 3 && Set(ids).count == ids.count)
        #expect(ids.first == "p4" && ids[count - 1] == "p\(count + 3)")
        #expect(throws: SessionError.self) {
            try player.perform(.playlist(.insert(index: 0, file: "c.wav", id: "p77", title: nil)))
        }
    }
}
