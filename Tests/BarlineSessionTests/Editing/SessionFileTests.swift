import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// The file of a session that plays: new, open, save, autosave, recordings.
@Suite("The file of a live session", .fewAtATime)
struct SessionFileTests {
    @Test("Saving writes the session with the keys that nobody knows")
    func save() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "editTrack", "track": "t", "set": {"name": "First"}}"#)
        #expect(stage.session.status.isDirty)
        try await stage.act(#"{"do": "save"}"#)
        #expect(!stage.session.status.isDirty)
        let saved = try SessionDocument(path: stage.folder.path)
        #expect(saved == stage.document && saved.tracks[0].name == "First")
        #expect(saved.rest["mystery"] == .object(["kept": .array([1, 2])]))
        #expect(saved.tracks[0].rest["secret"] == true && saved.tracks[0].clips[0].rest["hue"] == 7)
    }

    @Test("A session that is saved elsewhere finds its audio, and can be opened again")
    func saveAs() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "saveAs", "name": "Mine"}"#)
        #expect(stage.session.status.name == "Mine.barline" && !stage.session.status.isDirty)
        #expect(stage.session.library.sessions.map(\.name) == ["Mine"])
        #expect(stage.session.player.clips.values.allSatisfy { $0.handle != nil })
        try await stage.act(#"{"do": "addTrack"}"#)
        await #expect(throws: SessionError.self) { try await stage.act(#"{"do": "new", "name": "Fresh"}"#) }
        try await stage.act(#"{"do": "new", "name": "Fresh", "discard": true}"#)
        #expect(stage.document.name == "Fresh" && stage.session.player.clips.isEmpty)
        try await stage.act(#"{"do": "open", "name": "Mine"}"#)
        #expect(stage.document.tracks.map(\.id) == ["t", "u"])
        #expect(stage.session.player.clips["a"]?.handle != nil && stage.session.status.undo == nil)
    }

    @Test("What is saved from the built-in set has its files, wherever that one's are then, and plays on")
    func savedDemo() async throws {
        let stage = try await EditStage()
        let library = SessionLibrary(
            folder: URL(fileURLWithPath: stage.folder.folder.path("home"), isDirectory: true),
            state: URL(fileURLWithPath: stage.folder.folder.path("state"), isDirectory: true))
        let session = LiveSession(stage.session.player, isDemo: true, library: library)
        let samples = stage.session.player.clips["a"]?.audio?.samples
        for name in ["Mine", "Mine too"] {
            _ = try await session.perform(try ControlAction(["do": "saveAs", "name": .string(name)], source: "test"))
            #expect(session.player.clips["a"]?.audio?.samples === samples)
        }
        let sessions = library.folder.appendingPathComponent("sessions")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: sessions.appendingPathComponent("audio").path).sorted()
                == ["a.wav", "b.wav"])
        for name in ["a.wav", "b.wav"] {
            try FileManager.default.removeItem(atPath: stage.folder.folder.path(name))
        }
        for name in ["Mine", "Mine too"] {
            let path = sessions.appendingPathComponent("\(name).barline").path
            let document = try SessionDocument(path: path)
            #expect(document.files.allSatisfy { ["audio/a.wav", "audio/b.wav"].contains($0) })
            _ = try await SessionPlayer(document, path: path) { _ in }
        }
    }

    @Test("An autosave is there after a crash, and gone after saving")
    func autosave() async throws {
        let stage = try await EditStage()
        try stage.session.autosave()
        #expect(LiveSession(stage.session.player, library: stage.session.library).status.recoverable.isEmpty)
        try await stage.act(#"{"do": "addTrack", "name": "Unsaved"}"#)
        try stage.session.autosave()
        let after = try await SessionPlayer(SessionDocument(path: stage.folder.path), path: stage.folder.path) {
            $0.reserveForEditing()
        }
        let next = LiveSession(after, library: stage.session.library)
        #expect(!next.status.recoverable.isEmpty && after.document.tracks.count == 2)
        _ = try await next.perform(.manage(.recover(copy: nil)))
        #expect(after.document.tracks.map(\.name) == ["One", "Two", "Unsaved"])
        _ = try await next.perform(.manage(.undo))
        #expect(after.document.tracks.count == 2)
        _ = try await next.perform(.manage(.redo))
        _ = try await next.perform(.manage(.save))
        #expect(LiveSession(after, library: stage.session.library).status.recoverable.isEmpty)
    }

    @Test("A recording is the script of what was done, and the sound")
    func recording() async throws {
        let stage = try await EditStage()
        stage.stage.play(4_800)
        // A block that was played and not handed over yet belongs to the recording.
        stage.session.takeAudio(left: [], right: [], frame: FrameTime(4_000))
        try await stage.act(#"{"do": "record", "on": true, "audio": true}"#)
        let since = try #require(stage.session.recording?.since.rawValue)
        #expect(since == 4_000)
        _ = try stage.session.perform(.launch(clip: "a"))
        stage.stage.play(9_600)
        let sound = Array(stage.stage.left.suffix(10_400))
        stage.session.takeAudio(left: sound, right: sound, frame: FrameTime(4_000))
        try await stage.act(#"{"do": "record", "on": false}"#)
        let names = stage.session.recordings.map(\.path)
        #expect(names.count == 2)
        let script = try PerformanceScript(path: try #require(names.first))
        #expect(
            script.entries.map(\.action) == [.launch(clip: "a")] && script.entries[0].time == .frame(FrameTime(800)))
        let wave = try WaveContents(path: try #require(names.last))
        #expect(wave.channels[0].count == 10_400)
        #expect(zip(wave.channels[0], sound).allSatisfy { abs($0 - $1) < 1e-5 })
    }

    @Test("What was uploaded and is not used yet is listed, and can be used, after the session was saved elsewhere")
    func uploadsAfterSaveAs() async throws {
        let stage = try await EditStage()
        let folder = stage.session.uploadFolder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let temporary = folder.appendingPathComponent(".upload.wav").path
        try Data(Sound.tone(9_600, cycles: 20)).write(to: URL(fileURLWithPath: temporary))
        _ = try stage.session.store(temporary, as: "new.wav")
        unlink(temporary)
        try await stage.act(#"{"do": "saveAs", "name": "Elsewhere"}"#)
        let name = try #require(stage.session.media.allAudio(limit: 100).first { $0.hasSuffix("new.wav") })
        try await stage.act(#"{"do": "addClip", "track": "t", "slot": 3, "file": "\#(name)"}"#)
        #expect(stage.document.tracks[0].clips.contains { $0.file == name })
        #expect(stage.session.player.clips.values.allSatisfy { $0.problem == nil })
    }

    @Test("A copy that is being written when the session is saved does not outlive that")
    func autosaveDuringSave() async throws {
        let stage = try await EditStage()
        let session = stage.session
        for index in 0..<60 {
            try await stage.act(#"{"do": "editTrack", "track": "t", "set": {"name": "Name \#(index)"}}"#)
            async let copy: Void = Task.detached { _ = try session.autosave() }.value
            try await stage.act(#"{"do": "save"}"#)
            try await copy
            try session.autosave()
            #expect(Autosave.all(of: stage.folder.path, in: session.library).isEmpty)
        }
    }

    @Test("Copies are written one at a time, and none while the file is")
    func autosaveGate() async {
        let gate = AutosaveGate()
        #expect(gate.begin())
        async let held: Void = Task.detached { gate.hold() }.value
        // It comes before the gate is held, or not at all.
        async let next: Void = Task.detached { if gate.begin() { gate.end() } }.value
        gate.end()
        _ = await (held, next)
        #expect(!gate.begin())
        gate.hold()
        gate.release()
        #expect(!gate.begin())
        gate.release()
        #expect(gate.begin())
    }

    @Test("An autosave that could not be written is tried again")
    func autosaveAgain() async throws {
        let stage = try await EditStage()
        let state = stage.folder.folder.path("state")
        // A file is in the place of the folder.
        try stage.folder.folder.write("state", "no folder")
        try await stage.act(#"{"do": "editTrack", "track": "t", "set": {"name": "Other"}}"#)
        #expect(throws: SessionError.self) { try stage.session.autosave() }
        unlink(state)
        try stage.session.autosave()
        #expect(LiveSession(stage.session.player, library: stage.session.library).status.recoverable.count == 1)
    }

    @Test("While an autosave is offered, saving leaves it alone and changes go to another one")
    func unansweredOffer() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "addTrack", "name": "First"}"#)
        try stage.session.autosave()
        func again() async throws -> LiveSession {
            let player = try await SessionPlayer(SessionDocument(path: stage.folder.path), path: stage.folder.path) {
                $0.reserveForEditing()
            }
            return LiveSession(player, library: stage.session.library)
        }
        func act(_ session: LiveSession, _ json: String) async throws {
            _ = try await session.perform(
                ControlAction(JSONValue(parsing: Data(json.utf8)), source: "test"))
        }
        let second = try await again()
        try await act(second, #"{"do": "editTrack", "track": "t", "set": {"name": "Second"}}"#)
        try second.autosave()
        try await act(second, #"{"do": "save"}"#)
        #expect(!second.status.recoverable.isEmpty)
        try await act(second, #"{"do": "recover"}"#)
        #expect(second.player.document.tracks.map(\.name) == ["One", "Two", "First"])
        // Another crash: what was taken over and not saved is offered again.
        let third = try await again()
        #expect(!third.status.recoverable.isEmpty)
        try await act(third, #"{"do": "editTrack", "track": "u", "set": {"name": "Third"}}"#)
        try third.autosave()
        let fourth = try await again()
        #expect(fourth.status.recoverable.count == 2)
        for copy in fourth.status.recoverable { try await act(fourth, #"{"do": "recover", "copy": "\#(copy.copy)"}"#) }
        try await act(fourth, #"{"do": "save"}"#)
        #expect(try await again().status.recoverable.isEmpty)
    }

    @Test("A session file that is a link stays one: what it leads to is written, with its rights")
    func link() async throws {
        let stage = try await EditStage()
        let file = try stage.folder.folder.write("real.barline", EditStage.document)
        chmod(file, 0o640)
        let link = stage.folder.folder.path("link.barline")
        #expect(symlink("real.barline", link) == 0)
        var document = stage.document
        document.name = "Through the link"
        try document.write(to: link)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.barline")
        #expect(try SessionDocument(path: file).name == "Through the link")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try stage.folder.folder.names().allSatisfy { !$0.contains(".part") })
    }

    @Test("A session whose folder was renamed is saved where it was, which is said")
    func goneFolder() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "saveAs", "name": "Here"}"#)
        try await stage.act(#"{"do": "addTrack"}"#)
        let folder = URL(fileURLWithPath: stage.session.player.path).deletingLastPathComponent().path
        #expect(try await stage.act(#"{"do": "save"}"#).warning == nil)
        try FileManager.default.moveItem(atPath: folder, toPath: folder + " renamed")
        defer { try? FileManager.default.removeItem(atPath: folder + " renamed") }
        let warning = try await stage.act(#"{"do": "save"}"#).warning
        #expect(warning?.words.contains("folder of this session was gone") == true)
        #expect(FileManager.default.fileExists(atPath: stage.session.player.path))
        #expect(try await stage.act(#"{"do": "save"}"#).warning == nil)
        // What is recorded or uploaded has made the folder again, before the session is saved.
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder + "/audio", withIntermediateDirectories: true)
        let other = try await stage.act(#"{"do": "save"}"#).warning
        #expect(other?.words.contains("file of this session was gone, as if its folder had been renamed") == true)
        #expect(try await stage.act(#"{"do": "save"}"#).warning == nil)
    }
}
