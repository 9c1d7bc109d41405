import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Slots that were recorded into when their program was killed: what comes back is a loop that is in time.
@Suite("Rescued takes of slots", .fewAtATime)
struct RescuedTakeTests {
    private static let bar = LoopedSession.bar

    /// The next program after one that was killed while it recorded into slot 2 of a track, from bar 0 on.
    private struct Rescued {
        let killed: LoopedSession
        let session: LiveSession
        let input: [Float]

        init(after frames: Int, tempo: Int? = nil) async throws {
            killed = try await LoopedSession()
            input = try WaveContents(path: killed.folder.folder.path("mic.wav")).channels[0]
            try await killed.act(#"{"do": "transport", "action": "play"}"#)
            try await killed.act(#"{"do": "recordClip", "track": "t", "slot": 2, "id": "verse"}"#)
            killed.play(to: frames / 2)
            killed.session.player.takes.finish()
            if let tempo { try await killed.act(#"{"do": "tempo", "bpm": \#(tempo)}"#) }
            killed.play(to: frames)
            killed.session.player.takes.finish()
            // What a crash would leave: the same files, and nobody who holds them.
            let copy = SessionLibrary(
                folder: URL(fileURLWithPath: killed.folder.folder.path("crashed"), isDirectory: true),
                state: URL(fileURLWithPath: killed.folder.folder.path("crashed/state"), isDirectory: true))
            try FileManager.default.createDirectory(at: copy.folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: killed.session.library.recordings, to: copy.recordings)
            let document = try killed.folder.document(RecordRenderTests.document)
            let player = try await SessionPlayer(document, path: killed.folder.path) { $0.reserveForEditing() }
            session = LiveSession(player, library: copy)
            session.recoverTakes()
        }

        @discardableResult
        func act(_ json: String) async throws -> LiveSession.Outcome {
            let value = try JSONValue(parsing: Data(json.utf8))
            return try await session.perform(try ControlAction(value, source: "test"))
        }

        func keep() async throws -> LiveSession.Outcome {
            let take = try #require(session.recoveredTakes.first)
            return try await act(#"{"do": "keepTake", "name": "\#(take.name)"}"#)
        }

        func path(_ clip: ClipDocument) -> String {
            URL(fileURLWithPath: clip.file, relativeTo: URL(fileURLWithPath: killed.folder.path)).path
        }

        var clips: [ClipDocument] { session.player.document.tracks[0].clips }
    }

    @Test("A recording that the session plays, or that changes not saved have, is no leftover: its file stays")
    func used() async throws {
        let rescued = try await Rescued(after: 135_000)
        let library = rescued.session.library
        let name = try #require(rescued.session.recoveredTakes.first?.name)
        let journal = library.recordings.appendingPathComponent(name + ".unfinished")
        let bytes = try Data(contentsOf: journal)
        _ = try await rescued.keep()
        let file = rescued.path(try #require(rescued.clips.first))
        try rescued.session.autosave()
        // As a program leaves it that was told to end.
        try bytes.write(to: journal)
        let document = try rescued.killed.folder.document(RecordRenderTests.document)
        let player = try await SessionPlayer(document, path: rescued.killed.folder.path) { $0.reserveForEditing() }
        let next = LiveSession(player, library: library)
        next.recoverTakes()
        #expect(next.recoveredTakes.map(\.name) == [name] && next.status.recoverable.count == 1)
        for keeps in [true, false] {
            let error = await #expect(throws: SessionError.self) {
                _ = try await next.perform(.manage(.answerRecovery(name: name, keeps: keeps)))
            }
            let words =
                keeps ? "changes of this session were not saved" : "changes that were not saved use this recording"
            #expect(error.map { "\($0)".contains(words) } == true)
        }
        _ = try await next.perform(.manage(.recover(copy: nil)))
        _ = try await next.perform(.manage(.answerRecovery(name: name, keeps: false)))
        #expect(FileManager.default.fileExists(atPath: file))
        #expect(!FileManager.default.fileExists(atPath: journal.path) && next.recoveredTakes.isEmpty)
    }

    @Test(
        "While changes of its session that were not saved are offered it can't be kept: it comes into them, not under")
    func keptAfterRecovery() async throws {
        let rescued = try await Rescued(after: 135_000)
        try await rescued.act(#"{"do": "editTrack", "track": "t", "set": {"name": "Unsaved"}}"#)
        try rescued.session.autosave()
        let document = try rescued.killed.folder.document(RecordRenderTests.document)
        let player = try await SessionPlayer(document, path: rescued.killed.folder.path) { $0.reserveForEditing() }
        let next = LiveSession(player, library: rescued.session.library)
        next.recoverTakes()
        let name = try #require(next.recoveredTakes.first?.name)
        await #expect(throws: SessionError.self) {
            _ = try await next.perform(.manage(.answerRecovery(name: name, keeps: true)))
        }
        #expect(next.recoveredTakes.map(\.name) == [name] && !next.status.isDirty)
        _ = try await next.perform(.manage(.recover(copy: nil)))
        _ = try await next.perform(.manage(.answerRecovery(name: name, keeps: true)))
        #expect(next.player.document.tracks[0].name == "Unsaved")
        #expect(next.player.document.tracks[0].clips.map(\.id) == ["verse"])
    }

    @Test(
        "Kept, it is in its slot again, from its first frame to its last whole bar, or beat within the first bar",
        arguments: [(135_000, 8.0), (92_400, 4), (Self.bar, 4), (47_000, 3), (13_000, 1)] as [(Int, Double)])
    func kept(frames: Int, beats: Double) async throws {
        let rescued = try await Rescued(after: frames)
        let outcome = try await rescued.keep()
        let clip = try #require(rescued.clips.first)
        #expect(outcome.result["clip"] == .string(clip.id))
        #expect(clip.id == "verse" && clip.slot == 2 && clip.beats == beats && clip.bpm == nil)
        #expect(clip.start == 24_000 && clip.end == 24_000 + Int(beats) * 12_000)
        let player = rescued.session.player
        let handle = try #require(player.clipTable[clip.id]?.handle)
        #expect(player.engine.launcher.settings(of: handle)?.beats == beats, "it is what plays")
        let file = try WaveContents(path: rescued.path(clip))
        #expect(file.frameCount == 24_000 + frames, "nothing is cut off")
        #expect(file.channels[0].dropFirst(24_000).elementsEqual(rescued.input[..<frames]))
        #expect(file.chunkNames.suffix(3) == ["bext", "smpl", "acid"])
        try await rescued.act(#"{"do": "undo"}"#)
        #expect(rescued.clips.isEmpty && FileManager.default.fileExists(atPath: rescued.path(clip)))
        try await rescued.act(#"{"do": "redo"}"#)
        #expect(rescued.clips == [clip])
    }

    @Test("While another session is open it is said to be of the one that it was recorded into")
    func ofAnother() async throws {
        let rescued = try await Rescued(after: 92_400)
        let take = try #require(rescued.session.recoveredTakes.first)
        #expect(rescued.session.otherSession(of: take) == nil)
        let own = URL(fileURLWithPath: rescued.killed.folder.path).deletingPathExtension().lastPathComponent
        try await rescued.act(#"{"do": "new", "name": "Another", "discard": true}"#)
        #expect(rescued.session.otherSession(of: take) == own)
    }

    @Test("Brought in as any other file it is the same loop; where its length is said, it is that")
    func imported() async throws {
        let rescued = try await Rescued(after: 92_400)
        _ = try await rescued.keep()
        let kept = try #require(rescued.clips.first)
        try await rescued.act(#"{"do": "addClip", "track": "u", "file": "\#(kept.file)"}"#)
        let added = try #require(rescued.session.player.document.tracks[1].clips.first)
        #expect(added.start == kept.start && added.end == kept.end && added.beats == kept.beats)
        try await rescued.act(
            #"{"do": "addClip", "track": "u", "file": "\#(kept.file)", "set": {"start": 100, "beats": 7}}"#)
        let other = try #require(rescued.session.player.document.tracks[1].clips.last)
        #expect(other.start == 100 && other.end == nil && other.beats == 7)
        try await rescued.act(#"{"do": "importFiles", "files": [{"file": "\#(kept.file)"}]}"#)
        let imported = try #require(
            rescued.session.player.document.tracks.flatMap(\.clips).first {
                ![kept.id, added.id, other.id].contains($0.id)
            })
        #expect(imported.start == kept.start && imported.end == kept.end && imported.beats == kept.beats)
    }

    @Test("A take within which the tempo has changed is all there, and of no length in beats")
    func otherTempo() async throws {
        let rescued = try await Rescued(after: 92_400, tempo: 180)
        _ = try await rescued.keep()
        let clip = try #require(rescued.clips.first)
        #expect(clip.slot == 2 && clip.start == 0 && clip.end == nil && clip.beats == nil)
    }

    @Test("Where its slot is taken it is in the next free one; where its track is gone, it is a file")
    func elsewhere() async throws {
        let rescued = try await Rescued(after: 92_400)
        try await rescued.act(#"{"do": "addClip", "track": "t", "slot": 2, "file": "mic.wav"}"#)
        _ = try await rescued.keep()
        #expect(rescued.clips.map(\.slot).sorted() == [2, 3])
        let other = try await Rescued(after: 92_400)
        try await other.act(#"{"do": "removeTrack", "track": "t"}"#)
        _ = try await other.keep()
        #expect(other.session.player.document.tracks.flatMap(\.clips).isEmpty)
        #expect(other.session.recordings.count == 1 && other.session.recoveredTakes.isEmpty)
    }
}
