import BarlineEngine
import BarlineFiles
import BarlineTestSupport
import BarlineTime
import Foundation
import Synchronization
import Testing

@testable import BarlineSession

/// Slots that are recorded into while a session is played and edited.
@Suite("Takes of a live session", .fewAtATime)
struct LiveTakeTests {
    private static let bar = 48_000

    private struct Played {
        let folder: SessionFolder
        let session: LiveSession
        let stage: Stage
        let input: [[Float]]

        init(_ document: String = RecordRenderTests.document) async throws {
            folder = try SessionFolder()
            try folder.folder.write("mic.wav", Sound.noise(10 * bar, seed: 3, level: 0.2))
            input = try WaveContents(path: folder.folder.path("mic.wav")).channels
            let document = try folder.document(document)
            let player = try await SessionPlayer(document, path: folder.path) { $0.reserveForEditing() }
            player.hasInputs.store(true, ordering: .relaxed)
            stage = Stage(player)
            stage.inputs = input
            session = LiveSession(player, library: EditStage.library(folder))
            stage.takeEvents = session.takeEvents
        }

        @discardableResult
        func act(_ json: String) async throws -> LiveSession.Outcome {
            let value = try JSONValue(parsing: Data(json.utf8))
            return try await session.perform(try ControlAction(value, source: "test"))
        }

        func play(to frame: Int) {
            while stage.left.count < frame { stage.play(min(512, frame - stage.left.count)) }
        }

        var clips: [ClipDocument] { session.player.document.tracks[0].clips }
    }

    @Test(
        "A recording is a step: undone it leaves the slot empty, done again its file is played, and no file goes away")
    func undo() async throws {
        let played = try await Played()
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 2}"#)
        played.play(to: Self.bar / 2)
        #expect(played.clips.isEmpty)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 2}"#)
        played.play(to: 4 * Self.bar)
        let clip = try #require(played.clips.first)
        #expect(clip.slot == 2 && clip.beats == 4)
        #expect(played.session.player.engine.state.tracks[0].playing != nil)
        played.session.player.takes.finish()
        let path = URL(fileURLWithPath: clip.file, relativeTo: URL(fileURLWithPath: played.folder.path)).path
        let file = try WaveContents(path: path)
        let end = try #require(clip.end)
        #expect(file.channels[0][clip.start..<end].elementsEqual(played.input[0][..<Self.bar]))
        try await played.act(#"{"do": "undo"}"#)
        #expect(played.clips.isEmpty)
        played.play(to: 4 * Self.bar + 1_000)
        #expect(played.session.player.engine.state.tracks[0].playing == nil)
        try await played.act(#"{"do": "redo"}"#)
        #expect(played.clips == [clip])
        try await played.act(#"{"do": "launch", "clip": "\#(clip.id)"}"#)
        played.play(to: 7 * Self.bar)
        // Live and from the file it is the same loop.
        #expect(
            (0..<Self.bar - 1_000).allSatisfy {
                played.stage.left[6 * Self.bar + $0] == played.stage.left[3 * Self.bar + $0]
            })
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("A take is called as its track, from the second on with a number; where an identifier is asked for, by that")
    func names() async throws {
        let played = try await Played()
        for (slot, id) in [nil, nil, "voice-take-x", nil, nil].enumerated() {
            let named = id.map { #", "id": "\#($0)""# } ?? ""
            try await played.act(#"{"do": "recordClip", "track": "t", "slot": \#(slot), "bars": 1\#(named)}"#)
            if slot == 3 {
                // What it is called by then is what it is called for good.
                try await played.act(#"{"do": "editTrack", "track": "t", "set": {"name": ""}}"#)
            }
            played.play(to: played.stage.left.count + 3 * Self.bar)
        }
        #expect(played.clips.map(\.id) == ["voice-take", "voice-take-2", "voice-take-x", "voice-take-3", "take"])
        #expect(played.clips.map(\.name) == ["Voice take", "Voice take 2", "voice-take-x", "Voice take 3", "Take"])
    }

    @Test(
        "A session that is saved elsewhere while a slot is recorded names the file where it is; not while one is over")
    func savedElsewhere() async throws {
        let played = try await Played()
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new"}"#)
        played.play(to: Self.bar / 2)
        try await played.act(#"{"do": "saveAs", "name": "Elsewhere"}"#)
        played.play(to: 3 * Self.bar / 2)
        played.session.player.takes.finish()
        let session = URL(fileURLWithPath: played.session.player.path)
        let clip = try #require(played.clips.first)
        let path = URL(fileURLWithPath: clip.file, relativeTo: session).path
        #expect(FileManager.default.fileExists(atPath: path), "\(clip.file)")
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "bars": 1}"#)
        played.play(to: 5 * Self.bar / 2)
        await #expect(throws: SessionError.self) { try await played.act(#"{"do": "saveAs", "name": "Further"}"#) }
        played.play(to: 9 * Self.bar / 2)
        #expect(played.clips.first?.layers.count == 1)
        try await played.act(#"{"do": "saveAs", "name": "Further"}"#)
    }

    @Test("While a slot is recorded, or recorded over, no other session is opened")
    func anotherSession() async throws {
        let played = try await Played()
        let path = played.session.player.path
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new"}"#)
        played.play(to: Self.bar / 2)
        await #expect(throws: SessionError.self) {
            try await played.act(#"{"do": "new", "name": "B", "discard": true}"#)
        }
        played.play(to: 3 * Self.bar / 2)
        #expect(played.session.player.path == path && played.clips.map(\.id) == ["new"])
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub"}"#)
        played.play(to: 5 * Self.bar / 2)
        await #expect(throws: SessionError.self) {
            try await played.act(#"{"do": "new", "name": "B", "discard": true}"#)
        }
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub"}"#)
        played.play(to: 9 * Self.bar / 2)
        #expect(played.clips[0].layers.count == 1)
        try await played.act(#"{"do": "new", "name": "B", "discard": true}"#)
        #expect(played.session.player.path != path && played.session.player.document.tracks.allSatisfy(\.clips.isEmpty))
    }

    @Test("A file can be read at any time while it is written, and says when it was recorded and where it loops")
    func file() async throws {
        let played = try await Played()
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1}"#)
        played.play(to: Self.bar / 2)
        played.session.player.takes.finish()
        let folder = played.session.uploadFolder.path
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasPrefix("take-mic 20") })
        // Half a second before the first frame is in it.
        let early = try WaveContents(path: folder + "/" + name)
        #expect(early.channels[0].count == 24_000 + Self.bar / 2)
        #expect(
            early.channels[0].dropFirst(24_000).elementsEqual(played.input[0].prefix(early.channels[0].count - 24_000)))
        played.play(to: 3 * Self.bar)
        played.session.player.takes.finish()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
        for chunk in ["bext", "smpl", "acid"] { #expect(bytes.range(of: Data(chunk.utf8)) != nil) }
        let audio = try AudioClip(path: folder + "/" + name)
        #expect(audio.metadata.beats == 4 && audio.samples.frameCount == Self.bar + 48_000)
    }

    @Test("An edit elsewhere leaves a recording alone; its track and its input stay until it has ended")
    func edits() async throws {
        let played = try await Played()
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "id": "new"}"#)
        played.play(to: 5_000)
        try await played.act(#"{"do": "addTrack", "name": "Other"}"#)
        try await played.act(#"{"do": "launch", "clip": "new"}"#)
        played.play(to: Self.bar + 2_000)
        #expect(played.clips.map(\.id) == ["new"])
        try await played.act(#"{"do": "recordClip", "track": "u", "slot": 0, "input": "mic", "id": "gone"}"#)
        played.play(to: 3 * Self.bar)
        for refused in [#"{"do": "removeTrack", "track": "u"}"#, #"{"do": "removeInput", "input": "mic"}"#] {
            let error = await #expect(throws: SessionError.self) { try await played.act(refused) }
            #expect(error?.words.hasSuffix("is recorded: end that first.") == true)
        }
        try await played.act(#"{"do": "recordClip", "track": "u", "slot": 0}"#)
        played.play(to: 5 * Self.bar)
        #expect(played.session.player.document.clipIdentifiers == ["new", "gone"])
        try await played.act(#"{"do": "recordClip", "track": "u", "slot": 0, "mode": "overdub"}"#)
        played.play(to: 7 * Self.bar)
        #expect(played.session.player.overdubs["gone"]?.since != nil)
        await #expect(throws: SessionError.self) { try await played.act(#"{"do": "removeTrack", "track": "u"}"#) }
        try await played.act(#"{"do": "removeClip", "clip": "gone"}"#)
        played.play(to: 7 * Self.bar + 2_000)
        #expect(played.session.player.overdubs.isEmpty, "what is gone is not recorded over")
        try await played.act(#"{"do": "removeTrack", "track": "u"}"#)
        #expect(played.session.player.clips["gone"] == nil)
        #expect(played.session.player.document.clipIdentifiers == ["new"])
    }

    @Test("A take that has just ended can be edited: it plays on, and its file gets all of it")
    func fresh() async throws {
        let played = try await Played()
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new"}"#)
        played.play(to: Self.bar + 3_000)
        for name in ["Verse", "Chorus"] {
            try await played.act(#"{"do": "editClip", "clip": "new", "set": {"name": "\#(name)"}}"#)
            played.play(to: played.stage.left.count + 3_000)
            #expect(played.clips.map(\.name) == [name] && played.session.player.clips["new"]?.problem == nil)
        }
        played.play(to: 3 * Self.bar)
        // All but the crossfades to what was edited, and the loop's seam.
        #expect(
            (Self.bar + 24..<3 * Self.bar - 240).filter { $0 % Self.bar < Self.bar - 240 }.allSatisfy {
                abs(played.stage.left[$0] - played.input[0][$0 % Self.bar]) < 1e-5
            })
        played.session.player.takes.finish()
        let clip = try #require(played.clips.first)
        let path = URL(fileURLWithPath: clip.file, relativeTo: URL(fileURLWithPath: played.folder.path)).path
        #expect(try WaveContents(path: path).channels[0].count == Self.bar + 48_000)
    }

    @Test("What a program that is killed was recording into a slot is offered, until it is answered")
    func killed() async throws {
        let played = try await Played()
        let library = played.session.library
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0}"#)
        played.play(to: 2 * Self.bar)
        played.session.player.takes.finish()
        #expect(TakeRecovery.takes(in: library).isEmpty, "it is recorded still")
        // What a crash would leave: the same files, and nobody who holds them.
        let copy = SessionLibrary(
            folder: URL(fileURLWithPath: played.folder.folder.path("crashed"), isDirectory: true),
            state: URL(fileURLWithPath: played.folder.folder.path("crashed/state"), isDirectory: true))
        try FileManager.default.createDirectory(at: copy.folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: library.recordings, to: copy.recordings)
        let take = try #require(TakeRecovery.takes(in: copy).first)
        #expect(take.files.count == 1 && take.seconds == 2.5)
        let heard = try WaveContents(path: take.files[0].path)
        #expect(heard.channels[0].dropFirst(24_000).elementsEqual(played.input[0][..<(2 * Self.bar)]))
        try take.keep()
        #expect(TakeRecovery.takes(in: copy).isEmpty && FileManager.default.fileExists(atPath: take.files[0].path))
        // It ends, and once its clip is in a file there is nothing to rescue.
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0}"#)
        played.play(to: 4 * Self.bar)
        played.session.player.takes.finish()
        #expect(try FileManager.default.contentsOfDirectory(atPath: library.recordings.path).count == 1)
        try played.session.autosave()
        #expect(try FileManager.default.contentsOfDirectory(atPath: library.recordings.path).isEmpty)
    }

    @Test("At the end of the program takes that have their length are completed; what is recorded still is offered")
    func end() async throws {
        let played = try await Played()
        let library = played.session.library
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1}"#)
        played.play(to: Self.bar + 100)
        try await played.act(#"{"do": "recordClip", "track": "u", "slot": 0, "input": "mic"}"#)
        played.play(to: Self.bar + 1_000)
        #expect(played.session.finish().isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: library.recordings.path)
        let clip = try #require(played.clips.first)
        let path = URL(fileURLWithPath: clip.file, relativeTo: URL(fileURLWithPath: played.folder.path)).path
        #expect(left.count == 1 && !path.contains(left[0].replacing(".unfinished", with: "")))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.range(of: Data("smpl".utf8)) != nil)
        #expect(try WaveContents(path: path).frameCount >= clip.end ?? .max)
    }

    @Test("A journal that names anything but its own take is not believed")
    func forgedJournals() throws {
        let folder = try SessionFolder()
        let library = EditStage.library(folder)
        try FileManager.default.createDirectory(at: library.recordings, withIntermediateDirectories: true)
        try folder.folder.write("mine.wav", Sound.noise(1_000, seed: 1, level: 0.2))
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.folder.path("mine.wav")))
        for name in ["mine", "take-1"] {
            let journal = library.recordings.appendingPathComponent("\(name).unfinished")
            try Data(#"{"take": "\#(folder.folder.path("mine.wav"))"}"#.utf8).write(to: journal)
        }
        #expect(TakeRecovery.takes(in: library).isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.folder.path("mine.wav"))) == before)
    }

    @Test("What waits and what is recorded is reported, and an empty place of a track with an input records")
    func status() async throws {
        let played = try await Played()
        let player = played.session.player
        let (voice, other) = (player.document.tracks[0], player.document.tracks[1])
        #expect(!player.hasFootSwitch(slot: 3, on: other) && player.hasFootSwitch(slot: 3, on: voice))
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        played.play(to: 5_000)
        let before = player.revision
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 3, "bars": 1, "id": "new"}"#)
        played.play(to: 6_000)
        let waiting = try #require(player.openTakes.first)
        #expect(waiting.id == "new" && waiting.track == "t" && waiting.slot == 3 && waiting.since == nil)
        let waited = player.revision
        #expect(waited != before)
        played.play(to: Self.bar + 5_000)
        #expect(player.openTakes.map(\.since) == [FrameTime(Int64(Self.bar))])
        #expect(player.revision != waited)
        #expect(player.engine.state.tracks[0].queued?.clip == waiting.clip)
        played.play(to: 2 * Self.bar + 5_000)
        #expect(player.openTakes.isEmpty)
        player.hasInputs.store(false, ordering: .relaxed)
        #expect(!player.hasFootSwitch(slot: 4, on: voice))
    }

    @Test("Inputs are added, changed and taken out, and tracks follow their names")
    func inputs() async throws {
        let played = try await Played()
        func names() -> [String] { played.session.player.document.inputs.map(\.name) }
        let added = try await played.act(#"{"do": "addInput", "set": {"channels": [3]}}"#)
        #expect(added.result["input"] == "Input 2" && names() == ["mic", "Input 2"])
        #expect(played.session.player.document.inputs[1].channels == [3])
        try await played.act(#"{"do": "editInput", "input": "mic", "set": {"name": "Voice", "monitor": "always"}}"#)
        #expect(names() == ["Voice", "Input 2"] && played.session.player.document.inputs[0].monitor == .always)
        #expect(played.session.player.document.tracks[0].input == "Voice")
        for refused in [
            #"{"do": "editInput", "input": "Voice", "set": {"name": "Input 2"}}"#,
            #"{"do": "addInput", "name": "Voice"}"#, #"{"do": "removeInput", "input": "mic"}"#,
        ] { await #expect(throws: SessionError.self) { try await played.act(refused) } }
        try await played.act(#"{"do": "removeInput", "input": "Voice"}"#)
        #expect(names() == ["Input 2"] && played.session.player.document.tracks[0].input == nil)
        try await played.act(#"{"do": "undo"}"#)
        #expect(names() == ["Voice", "Input 2"] && played.session.player.document.tracks[0].input == "Voice")
    }

    @Test("More bars than are kept of an input are refused in words")
    func tooManyBars() async throws {
        let played = try await Played()
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        played.play(to: 2 * Self.bar)
        // A bar is a second, and 64 of them are kept.
        let error = await #expect(throws: SessionError.self) {
            try await played.act(#"{"do": "keepLast", "track": "t", "slot": 0, "bars": 65}"#)
        }
        #expect(
            error?.words == "65 bars are longer than what is kept of an input, the last 64 seconds.")
        try await played.act(#"{"do": "keepLast", "track": "t", "slot": 1, "bars": 64, "id": "all"}"#)
        played.play(to: 2 * Self.bar + 2_000)
        #expect(played.clips.map(\.id) == ["all"])
    }

    @Test("The last 16 bars of an input are kept at a slow tempo too, and 64 seconds at a quick one")
    func keptBars() async throws {
        let slow = try await Played(RecordRenderTests.document.replacing("240", with: "40"))
        try await slow.act(#"{"do": "transport", "action": "play"}"#)
        slow.play(to: 1_000)
        try await slow.act(#"{"do": "keepLast", "track": "t", "slot": 0, "bars": 16, "id": "all"}"#)
        let error = await #expect(throws: SessionError.self) {
            try await slow.act(#"{"do": "keepLast", "track": "t", "slot": 1, "bars": 17}"#)
        }
        #expect(error?.words == "17 bars are longer than what is kept of an input, the last 96 seconds.")
        slow.play(to: 3_000)
        #expect(slow.clips.map(\.id) == ["all"] && slow.clips.first?.beats == 64)
    }

    @Test("A take may be hours long where there is memory for it, and half an hour everywhere")
    func longest() {
        #expect(SessionPlayer.longestTake(at: .standard, memory: 64 << 30) == 14_400)
        #expect(SessionPlayer.longestTake(at: .standard, memory: 1 << 20) == 1_800)
        #expect(SessionPlayer.longestTake(at: .standard, memory: 768_000 * 5_000) == 5_000)
    }

    @Test("Where nothing gives inputs a recording is refused in words")
    func noInputs() async throws {
        let played = try await Played()
        played.session.player.hasInputs.store(false, ordering: .relaxed)
        await #expect(throws: SessionError.self) {
            try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0}"#)
        }
    }

    @Test("An input is heard on its track while no clip plays there, always or never, as it is set")
    func monitor() async throws {
        let auto = RecordRenderTests.document.replacing("never", with: "auto")
        let played = try await Played(auto)
        played.play(to: 4_000)
        #expect((1_000..<4_000).allSatisfy { played.stage.left[$0] == played.input[0][$0] })
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new"}"#)
        played.play(to: 4_000 + 2 * Self.bar)
        // Heard while it is recorded, not while the loop plays.
        let from = 4_000 + Self.bar
        #expect((5_000..<from).allSatisfy { played.stage.left[$0] == played.input[0][$0] })
        #expect(
            (from + 240..<from + Self.bar - 240).allSatisfy { played.stage.left[$0] == played.input[0][$0 - Self.bar] })
        try await played.act(#"{"do": "stopNow", "track": "t"}"#)
        played.play(to: 4_000 + 2 * Self.bar + 3_000)
        let now = played.stage.left.count
        #expect((now - 1_000..<now).allSatisfy { played.stage.left[$0] == played.input[0][$0] })
        try await played.act(#"{"do": "editTrack", "track": "t", "set": {"input": null}}"#)
        played.play(to: now + 2_000)
        #expect(played.stage.left[(now + 1_000)...].allSatisfy { $0 == 0 })
    }
}
