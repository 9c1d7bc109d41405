import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// What each action of editing makes of the document, and of what plays.
@Suite("Editing a session", .fewAtATime)
struct EditTests {
    @Test(
        "Paths with characters beyond ASCII after two slashes are refused where they lead nowhere, and play where they lead to sound"
    )
    func slashes() async throws {
        let stage = try await EditStage()
        for path in ["a//é", "//ì", "http://ä", "x//日"] {
            for action in [
                #"{"do": "editClip", "clip": "a", "set": {"file": "\#(path)"}}"#,
                #"{"do": "addClip", "track": "t", "file": "\#(path)"}"#,
                #"{"do": "playlist", "action": "insert", "index": 0, "file": "\#(path)"}"#,
            ] {
                await #expect(throws: SessionError.self) { try await stage.act(action) }
            }
        }
        try stage.folder.folder.folder("é")
        try stage.folder.folder.write("é/ü.wav", Sound.tone(4_800, cycles: 20))
        try await stage.act(#"{"do": "editClip", "clip": "a", "set": {"file": "é//ü.wav"}}"#)
        #expect(stage.session.player.clips["a"]?.audio?.samples.frameCount == 4_800)
    }

    @Test("A clip's keys are set as its object has them, and the others stay")
    func editClip() async throws {
        let stage = try await EditStage()
        try await stage.act(
            """
            {"do": "editClip", "clip": "a", "set": {"name": "Amen", "start": 100, "end": 90000, "beats": 3, "gain": null,
             "loop": false, "playback": "original", "launchMode": "toggle", "startPosition": "synced",
             "quantization": "1/8", "color": "#123456", "fadeIn": 0, "fadeOut": 250}}
            """)
        let clip = stage.document.tracks[0].clips[0]
        #expect(clip.name == "Amen" && clip.start == 100 && clip.end == 90_000 && clip.beats == 3)
        #expect(clip.gain == -.infinity && !clip.loop && clip.playback == .original && clip.launchMode == .toggle)
        #expect(clip.startPosition == .synced && clip.quantization != nil && clip.color == "#123456")
        #expect(clip.id == "a" && clip.file == "a.wav" && clip.rest["hue"] == 7)
        let handle = try #require(stage.session.player.clips["a"]?.handle)
        #expect(stage.session.player.engine.launcher.settings(of: handle)?.region == 100..<90_000)
        #expect(stage.session.player.engine.launcher.settings(of: handle)?.launchMode == .toggle)
        #expect(clip.fadeIn == 0 && clip.fadeOut == 250)
        #expect(stage.session.player.engine.launcher.settings(of: handle)?.fadeIn == 0)
        #expect(stage.session.player.engine.launcher.settings(of: handle)?.fadeOut == 0.25)
    }

    @Test(
        "What can't be is refused in words, and changes nothing",
        arguments: [
            (#"{"do": "editClip", "clip": "x", "set": {}}"#, "there is no \"x\""),
            (#"{"do": "editClip", "clip": "a", "set": {"start": 96000}}"#, "below the file's 96000"),
            (#"{"do": "editClip", "clip": "a", "set": {"end": 96001}}"#, "at most the file's 96000"),
            (#"{"do": "editClip", "clip": "a", "set": {"beats": -1}}"#, "a number of beats above 0"),
            (#"{"do": "editClip", "clip": "a", "set": {"fadeIn": 10001}}"#, "a length in ms from 0 to 10000"),
            (#"{"do": "editClip", "clip": "a", "set": {"slot": 1}}"#, "moveClip"),
            (#"{"do": "editClip", "clip": "a"}"#, "the keys to be set"),
            (#"{"do": "editClip", "clip": "a", "set": {"file": "/etc/passwd"}}"#, "the session's folder"),
            (#"{"do": "addClip", "track": "t", "file": "../../../../etc/passwd"}"#, "the session's folder"),
            (#"{"do": "addClip", "track": "t", "file": "missing.wav"}"#, "the session's folder"),
            (#"{"do": "moveTrack", "track": "t"}"#, "index"),
            (#"{"do": "removeScene", "scene": 9}"#, "there is no \"9\""),
            (#"{"do": "addMarker", "name": "Verse"}"#, "used twice"),
            (#"{"do": "editSession", "set": {"tracks": []}}"#, "set.tracks: is changed by actions of its own"),
            (#"{"do": "song", "action": "next"}"#, "do: songs can't be played by this version"),
            (#"{"do": "songs"}"#, "do: expected an action"),
            (#"{"do": "editMetronome", "set": {"swing": 90}}"#, "50 to 75"),
            (#"{"do": "correctTempo", "clip": "a", "by": "magic"}"#, "double"),
            (#"{"do": "gain", "track": "t", "stem": "s", "db": -3}"#, "one strip is meant, not a track and a stem"),
            (#"{"do": "mute", "track": "t", "stem": "s", "on": true}"#, "one strip"),
            (#"{"do": "undo"}"#, "nothing to undo"),
            (#"{"do": "open", "name": "../secret"}"#, "without \"/\""),
        ])
    func refused(action: String, reason: String) async throws {
        let stage = try await EditStage()
        let before = stage.document
        let error = await #expect(throws: SessionError.self) { try await stage.act(action) }
        #expect(error.map { "\($0)".contains(reason) } == true, "\(error.map { "\($0)" } ?? "")")
        #expect(stage.document == before)
    }

    @Test("A link that leads out of the folders is not followed")
    func links() async throws {
        let stage = try await EditStage()
        try FileManager.default.createSymbolicLink(
            atPath: stage.folder.folder.path("link.wav"), withDestinationPath: "/dev/zero")
        await #expect(throws: SessionError.self) {
            try await stage.act(#"{"do": "addClip", "track": "t", "file": "link.wav"}"#)
        }
    }

    @Test(
        "What is added names no file of elsewhere, whatever key it is in",
        arguments: [
            (#""addClip", "track": "u""#, #""file": OUT"#),
            (#""addClip", "track": "u""#, #""layers": [{"file": OUT}]"#),
            (#""addClip", "track": "u""#, #""undoneLayers": [{"file": OUT}]"#),
            (
                #""addClip", "track": "u""#,
                #""pass": {"file": OUT, "start": 0, "length": 9, "recorded": 9, "position": 0, "feedback": 80}"#
            ),
            (#""addStem""#, #""file": OUT"#), (#""addPad""#, #""file": OUT"#),
        ])
    func elsewhere(action: String, set: String) async throws {
        let stage = try await EditStage()
        let outside = try TemporaryFolder()
        let path = try outside.write("out.wav", WaveFile((0..<4_800).map { sin(Double($0) / 20) }).bytes)
        let before = stage.document
        func act(_ file: String) async throws {
            let keys = set.replacingOccurrences(of: "OUT", with: "\"\(file)\"")
            try await stage.act(#"{"do": \#(action), "file": "a.wav", "set": {\#(keys)}}"#)
        }
        let error = await #expect(throws: SessionError.self) { try await act(path) }
        #expect("\(try #require(error))".contains("expected a file of the session's folder or the library"))
        #expect(stage.document == before)
        try await act("b.wav")
        #expect(stage.document != before)
    }

    @Test("A row in what is set of a new clip or pad is where a free one is looked for: nothing gives way to it")
    func freePlaces() async throws {
        let stage = try await EditStage()
        let row = try #require(stage.document.tracks[0].clips.first?.slot)
        let clips = stage.document.clipIdentifiers
        try await stage.act(#"{"do": "addClip", "track": "t", "file": "a.wav", "set": {"slot": \#(row)}}"#)
        #expect(stage.document.clipIdentifiers.isStrictSuperset(of: clips))
        try await stage.act(#"{"do": "addPad", "file": "a.wav", "slot": 2}"#)
        try await stage.act(#"{"do": "addPad", "file": "b.wav", "set": {"slot": 2}}"#)
        #expect(stage.document.pads.map(\.slot) == [2, 3])
        try await stage.act(#"{"do": "addPad", "file": "a.wav", "slot": 2, "replace": true}"#)
        #expect(stage.document.pads.count == 2)
    }

    @Test("Clips are added, moved, swapped, copied and removed")
    func clips() async throws {
        let stage = try await EditStage()
        let added = try await stage.act(
            #"{"do": "addClip", "track": "u", "slot": 3, "file": "a.wav", "set": {"beats": 4}}"#)
        #expect(added.result == ["clip": "a-2"])
        #expect(stage.session.player.clips["a-2"]?.handle != nil)
        try await stage.act(#"{"do": "moveClip", "clip": "a", "track": "u", "slot": 0}"#)
        #expect(stage.document.tracks[1].clips.first { $0.id == "a" }?.slot == 0)
        #expect(stage.document.tracks[0].clips.first { $0.id == "c" }?.slot == 0)
        let copied = try await stage.act(#"{"do": "duplicateClip", "clip": "b"}"#)
        let copy = try #require(stage.document.tracks[0].clips.last)
        #expect(copied.result["clip"] == .string(copy.id) && copy.file == "b.wav" && copy.slot == 2)
        try await stage.act(#"{"do": "removeClip", "clip": "b"}"#)
        #expect(!stage.document.clipIdentifiers.contains("b") && stage.session.player.clips["b"] == nil)
        _ = try stage.session.perform(.launch(clip: copy.id))
        #expect(throws: SessionError.self) { try stage.session.perform(.launch(clip: "b")) }
    }

    @Test("Scenes take their clips with them")
    func scenes() async throws {
        let stage = try await EditStage()
        func rows() -> [String: Int] {
            Dictionary(uniqueKeysWithValues: stage.document.tracks.flatMap(\.clips).map { ($0.id, $0.slot) })
        }
        try await stage.act(#"{"do": "addScene", "name": "New", "index": 0}"#)
        #expect(stage.document.scenes.map(\.name) == ["New", "Intro", "Drop"])
        #expect(rows() == ["a": 1, "b": 2, "c": 1])
        try await stage.act(#"{"do": "moveScene", "scene": 1, "index": 2}"#)
        #expect(stage.document.scenes.map(\.name) == ["New", "Drop", "Intro"])
        #expect(rows() == ["a": 2, "b": 1, "c": 2])
        try await stage.act(#"{"do": "removeScene", "scene": 0}"#)
        #expect(rows() == ["a": 1, "b": 0, "c": 1])
        // Rows that nobody could name are not made.
        try await stage.act(#"{"do": "moveClip", "clip": "a", "slot": 9999}"#)
        for more in [#""addScene""#, #""addScene", "index": 3"#, #""duplicateScene", "scene": 0"#] {
            await #expect(throws: SessionError.self) { try await stage.act(#"{"do": \#(more)}"#) }
        }
        #expect(rows() == ["a": 9_999, "b": 0, "c": 1])
        try await stage.act(#"{"do": "undo"}"#)
        try await stage.act(#"{"do": "duplicateScene", "scene": 1}"#)
        #expect(stage.document.scenes.map(\.name) == ["Drop", "Intro", "Intro"])
        #expect(stage.document.tracks.map { $0.clips.count { $0.slot == 2 } } == [1, 1])
        try await stage.act(#"{"do": "editScene", "scene": 0, "set": {"name": "Fall", "tempo": 99}}"#)
        #expect(
            stage.document.scenes[0]
                == {
                    var scene = SceneDocument(name: "Fall"); scene.tempo = 99; return scene
                }())
    }

    @Test("Tempo corrections count beats anew, and the detected value comes back")
    func tempo() async throws {
        let stage = try await EditStage()
        func beats() -> Double? { stage.session.player.clips["a"]?.beats }
        for (action, expected) in [
            (#""by": "double""#, 8.0), (#""by": "halve""#, 4), (#""by": "threeHalves""#, 6), (#""by": "twoThirds""#, 4),
            (#""beats": 3.5"#, 3.5), (#""bpm": 120"#, 4), (#""taps": [0, 0.5, 1, 1.5]"#, 4),
        ] {
            try await stage.act(#"{"do": "correctTempo", "clip": "a", \#(action)}"#)
            #expect(abs((beats() ?? 0) - expected) < 1e-9, "\(action)")
        }
        // Half a second is a beat of 120 BPM.
        try await stage.act(#"{"do": "correctTempo", "clip": "a", "downbeat": 1}"#)
        #expect(stage.document.tracks[0].clips[0].start == 24_000 && abs((beats() ?? 0) - 3) < 1e-9)
        try await stage.act(#"{"do": "correctTempo", "clip": "a", "shift": -4000}"#)
        #expect(stage.document.tracks[0].clips[0].start == 20_000)
        try await stage.act(#"{"do": "correctTempo", "clip": "a", "by": "detected"}"#)
        #expect(stage.document.tracks[0].clips[0].beats == nil && stage.document.tracks[0].clips[0].bpm == nil)
    }

    @Test("A folder of loops becomes a track for each of its folders")
    func importFolder() async throws {
        let stage = try await EditStage()
        for name in ["loops/drums/one.wav", "loops/drums/two.wav", "loops/bass/low.wav"] {
            try stage.folder.folder.folder((name as NSString).deletingLastPathComponent)
            try stage.folder.folder.write(name, Sound.noise(4800, seed: 1))
        }
        try stage.folder.folder.write("loops/notes.txt", "no audio")
        try await stage.act(#"{"do": "importFolder", "folder": "loops"}"#)
        #expect(stage.document.tracks.map(\.name) == ["One", "Two", "bass", "drums"])
        #expect(stage.document.tracks[3].clips.map(\.file) == ["loops/drums/one.wav", "loops/drums/two.wav"])
        #expect(stage.document.tracks[3].clips.map(\.slot) == [0, 1])
    }

    @Test("The files of a folder come in the order that people count in, without hidden ones")
    func importOrder() async throws {
        let stage = try await EditStage()
        try stage.folder.folder.folder("loops")
        for name in ["10 song", "2 song", "1 song", "._1 song", "Take 11", "take 9"] {
            try stage.folder.folder.write("loops/\(name).wav", Sound.noise(4800, seed: 1))
        }
        try await stage.act(#"{"do": "importFolder", "folder": "loops"}"#)
        #expect(
            stage.document.tracks[2].clips.map(\.file)
                == ["1 song", "2 song", "10 song", "take 9", "Take 11"].map { "loops/\($0).wav" })
    }

    @Test("A fader that is moved is one step of undo, and kept by the session")
    func faders() async throws {
        let stage = try await EditStage()
        for step in 1...5 { _ = try stage.session.perform(.gain(.track("t"), db: Double(-step))) }
        #expect(stage.document.tracks[0].gain == -5)
        try await stage.act(#"{"do": "undo"}"#)
        #expect(stage.document.tracks[0].gain == 0 && stage.session.status.undo == nil)
        try await stage.act(#"{"do": "redo"}"#)
        #expect(stage.document.tracks[0].gain == -5)
    }
}
