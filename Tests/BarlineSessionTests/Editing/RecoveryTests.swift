import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// What is offered after crashes, and what becomes of it: nothing that nobody has answered is lost.
@Suite("Recovery after crashes", .fewAtATime)
struct RecoveryTests {
    private let stage: EditStage

    init() async throws { stage = try await EditStage() }

    /// The session as a program opens it that is started after the one before was killed.
    private func restarted() async throws -> LiveSession {
        let player = try await SessionPlayer(SessionDocument(path: stage.folder.path), path: stage.folder.path) {
            $0.reserveForEditing()
        }
        return LiveSession(player, library: stage.session.library)
    }

    private func act(_ session: LiveSession, _ json: String) async throws {
        _ = try await session.perform(ControlAction(JSONValue(parsing: Data(json.utf8)), source: "test"))
    }

    private func rename(_ session: LiveSession, _ name: String) async throws {
        try await act(session, #"{"do": "editTrack", "track": "t", "set": {"name": "\#(name)"}}"#)
    }

    private func name(_ session: LiveSession) -> String { session.player.document.tracks[0].name }

    /// A program that changes the name and is killed, at a second that is counted from the year 2001 on.
    private func killed(_ name: String, at second: Double) async throws {
        let before = Set(copies)
        let session = try await restarted()
        try await rename(session, name)
        try session.autosave()
        for copy in Set(copies).subtracting(before) {
            for path in [copy.path, copy.changes] {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceReferenceDate: second)], ofItemAtPath: path)
            }
        }
    }

    private var copies: [Autosave] { Autosave.all(of: stage.folder.path, in: stage.session.library) }

    @Test("After several crashes with offers that nobody has answered, all are offered, the latest first")
    func all() async throws {
        for (second, name) in ["First", "Second", "Third", "Fourth"].enumerated() {
            try await killed(name, at: Double(second))
        }
        let session = try await restarted()
        let offers = session.status.recoverable
        #expect(
            offers.map { $0.modified - Date(timeIntervalSinceReferenceDate: 0).timeIntervalSince1970 } == [3, 2, 1, 0])
        #expect(Set(offers.map(\.copy)).count == 4 && name(session) == "One")
        try await act(session, #"{"do": "recover", "copy": "\#(offers[2].copy)"}"#)
        #expect(name(session) == "Second" && session.status.recoverable == [offers[0], offers[1], offers[3]])
        try await act(session, #"{"do": "recover"}"#)
        #expect(name(session) == "Fourth")
        try await act(session, #"{"do": "undo"}"#)
        #expect(name(session) == "Second")
        try await act(session, #"{"do": "save"}"#)
        try await act(session, #"{"do": "discardRecovery"}"#)
        #expect(session.status.recoverable == [offers[3]])
        // What was answered is not offered again, and the rest is.
        let next = try await restarted()
        #expect(name(next) == "Second" && next.status.recoverable.map(\.copy) == [offers[3].copy])
        try await act(next, #"{"do": "recover"}"#)
        #expect(name(next) == "First")
    }

    @Test("What was taken over and not saved is offered again after another crash")
    func twice() async throws {
        try await killed("First", at: 0)
        let session = try await restarted()
        try await act(session, #"{"do": "recover"}"#)
        let next = try await restarted()
        try await act(next, #"{"do": "recover"}"#)
        #expect(name(next) == "First")
    }

    @Test("A copy that can't be read, and a name that no copy has, are refused and lose nothing")
    func refused() async throws {
        try await killed("First", at: 0)
        let path = try #require(copies.first?.path)
        let whole = try String(contentsOfFile: path, encoding: .utf8)
        try "{".write(toFile: path, atomically: true, encoding: .utf8)
        let session = try await restarted()
        await #expect(throws: SessionError.self) { try await act(session, #"{"do": "recover"}"#) }
        for verb in ["recover", "discardRecovery"] {
            await #expect(throws: SessionError.self) { try await act(session, #"{"do": "\#(verb)", "copy": "../1"}"#) }
        }
        #expect(session.status.recoverable.count == 1 && name(session) == "One")
        try whole.write(toFile: path, atomically: true, encoding: .utf8)
        try await act(session, #"{"do": "recover"}"#)
        #expect(name(session) == "First" && session.status.recoverable.isEmpty)
        await #expect(throws: SessionError.self) { try await act(session, #"{"do": "recover"}"#) }
    }

    @Test("Copies of programs that have the session open beside another one keep out of each other's way")
    func beside() async throws {
        stage.session.claim()
        for name in ["Second", "Third"] {
            let session = try await restarted()
            session.claim()
            #expect(session.isOpenElsewhere && session.status.recoverable.isEmpty)
            try await rename(session, name)
            try session.autosave()
        }
        try await rename(stage.session, "First")
        try stage.session.autosave()
        #expect(Set(try copies.map { try $0.read().tracks[0].name }) == ["First", "Second", "Third"])
    }

    /// A session in a folder of its own.
    private struct Show {
        let folder: URL
        var path: String { folder.appendingPathComponent("Show.barline").path }

        init(in stage: EditStage) throws {
            folder = URL(fileURLWithPath: stage.folder.folder.path("show"), isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }

        let text = #"{"barline": 1, "tracks": [{"id": "t", "name": "One"}]}"#

        func write(_ name: String, _ text: String) throws -> String {
            let path = folder.appendingPathComponent(name).path
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
    }

    /// The session as a program opens it.
    private func opened(_ path: String) async throws -> LiveSession {
        let player = try await SessionPlayer(SessionDocument(path: path), path: path) { $0.reserveForEditing() }
        return LiveSession(player, library: stage.session.library)
    }

    private func killed(_ name: String, _ path: String) async throws {
        let session = try await opened(path)
        try await rename(session, name)
        try session.autosave()
    }

    @Test("Where the session's folder has got another name since a crash, its changes are offered there, once")
    func renamedFolder() async throws {
        let show = try Show(in: stage)
        try await killed("First", show.path)
        try await killed("Second", show.path)
        let moved = URL(fileURLWithPath: stage.folder.folder.path("Tournée+1 — 東京"), isDirectory: true)
        try FileManager.default.moveItem(at: show.folder, to: moved)
        let path = moved.appendingPathComponent("Show.barline").path
        #expect(try await opened(path).status.recoverable.count == 2)
        let session = try await opened(path)
        #expect(session.status.recoverable.count == 2)
        try await act(session, #"{"do": "recover"}"#)
        try await act(session, #"{"do": "save"}"#)
        try await act(session, #"{"do": "discardRecovery"}"#)
        let last = try await opened(path)
        #expect(last.status.recoverable.isEmpty && ["First", "Second"].contains(name(last)))
    }

    @Test("What nobody has answered goes on to be offered, however often the session crashes and its folder is renamed")
    func renamedAgain() async throws {
        let show = try Show(in: stage)
        var folder = show.folder
        for number in 1...4 {
            try await killed("Crash \(number)", folder.appendingPathComponent("Show.barline").path)
            let next = URL(fileURLWithPath: stage.folder.folder.path("Name \(number)"), isDirectory: true)
            try FileManager.default.moveItem(at: folder, to: next)
            folder = next
            let session = try await opened(folder.appendingPathComponent("Show.barline").path)
            #expect(session.status.recoverable.count == number)
            // Saving answers nothing.
            try await rename(session, "Saved \(number)")
            try await act(session, #"{"do": "save"}"#)
        }
    }

    @Test("Changes stay those of their session: of one that is still there, is open, or is another one")
    func notMoved() async throws {
        let show = try Show(in: stage)
        try await killed("First", show.path)
        let kept = show.path + ".kept"
        try FileManager.default.moveItem(atPath: show.path, toPath: kept)
        // Another one that was saved, however small the difference, and one that was only made alike.
        for text in [show.text + "\n", show.text] {
            let other = try show.write("Other.barline", text)
            #expect(try await opened(other).status.recoverable.isEmpty)
        }
        let moved = show.folder.appendingPathComponent("Moved.barline").path
        try FileManager.default.moveItem(atPath: kept, toPath: moved)
        do {
            let running = try #require(SessionLock(show.path, in: stage.session.library))
            #expect(try await opened(moved).status.recoverable.isEmpty)
            withExtendedLifetime(running) {}
        }
        try FileManager.default.copyItem(atPath: moved, toPath: show.path)
        #expect(try await opened(moved).status.recoverable.isEmpty)
        try FileManager.default.removeItem(atPath: show.path)
        #expect(try await opened(moved).status.recoverable.count == 1)
    }

    @Test(
        "Whatever is edited, saved, answered and killed, what is offered is what nobody has answered",
        arguments: UInt64(1)...6)
    func model(seed: UInt64) async throws {
        var random = TestRandom(seed: seed)
        var session = try await restarted()
        // The names that are offered, and the one that is not saved.
        var offered: Set<String> = []
        var unsaved: String?
        for number in 0..<40 {
            switch random.int(0...5) {
            case 0, 1:
                unsaved = "Name \(number)"
                try await rename(session, "Name \(number)")
                try session.autosave()
            case 2:
                session = try await restarted()
                if let name = unsaved { offered.insert(name) }
                unsaved = nil
            case 3:
                try await act(session, #"{"do": "save"}"#)
                unsaved = nil
            default:
                guard let copy = session.status.recoverable.randomElement(using: &random)?.copy else { continue }
                let left = try #require(copies.first { $0.number == copy }).read().tracks[0].name
                offered.remove(left)
                if random.int(0...1) == 0 {
                    try await act(session, #"{"do": "recover", "copy": "\#(copy)"}"#)
                    #expect(name(session) == left)
                    unsaved = left
                } else {
                    try await act(session, #"{"do": "discardRecovery", "copy": "\#(copy)"}"#)
                }
            }
            let found = try copies.filter { copy in session.status.recoverable.contains { $0.copy == copy.number } }
                .map { try $0.read().tracks[0].name }
            #expect(Set(found) == offered && found.count == offered.count, "\(number)")
            #expect(copies.count == offered.count + (unsaved == nil ? 0 : 1), "\(number)")
        }
    }
}
