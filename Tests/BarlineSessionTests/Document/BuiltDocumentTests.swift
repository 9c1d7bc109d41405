import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Sessions, actions and scripts that a program builds without a file: what no file can have is refused, and nothing
/// ends the program.
@Suite("What is built in code", .fewAtATime)
struct BuiltDocumentTests {
    private static let odd: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300]

    /// A session with a clip, a stem and an item, of files that are there.
    private static func folder() throws -> (folder: SessionFolder, document: SessionDocument) {
        let folder = try SessionFolder()
        try folder.folder.write("loop.wav", Sound.tone(48_000, cycles: 440))
        let document = try folder.document(
            """
            {"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "c", "slot": 0, "file": "loop.wav", "beats": 2}]}],
             "stems": [{"id": "s", "file": "loop.wav"}], "playlist": [{"id": "p", "file": "loop.wav"}]}
            """)
        return (folder, document)
    }

    private typealias Change = (name: String, make: (inout SessionDocument) -> Void)

    /// Changes that no session file could say.
    private static func changes() -> [Change] {
        var changes: [Change] = [
            ("an end before the first frame", { $0.tracks[0].clips[0].end = -5 }),
            ("a start far below", { $0.tracks[0].clips[0].start = -9_000_000_000_000_000_000 }),
            ("two tracks of one name", { $0.tracks.append($0.tracks[0]) }),
            ("no beats", { $0.tracks[0].clips[0].beats = 0 }),
            ("no name", { $0.tracks[0].id = "" }),
            ("no speed", { edit(&$0) { $0.speed = 0 } }),
        ]
        for value in odd {
            changes.append(("item speed \(value)", { edit(&$0) { $0.speed = value } }))
            changes.append(("item transpose \(value)", { edit(&$0) { $0.transpose = value } }))
            changes.append(("stem transpose \(value)", { $0.stems[0].transpose = value }))
            changes.append(("tempo \(value)", { $0.tempo = value }))
            changes.append(("snap tolerance \(value)", { $0.snapTolerance = value }))
        }
        return changes
    }

    private static func edit(_ document: inout SessionDocument, _ body: (inout PlaylistItemDocument) -> Void) {
        var item = document.items[0]
        body(&item)
        document.items.replace(0..<1, with: [item])
    }

    @Test("A document that no file could have is neither opened nor written, and the file that is there stays")
    func documents() async throws {
        let (folder, good) = try Self.folder()
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.path))
        for (name, make) in Self.changes() {
            var document = good
            make(&document)
            await #expect(throws: SessionError.self, "\(name)") {
                try await SessionPlayer(document, path: folder.path)
            }
            #expect(throws: SessionError.self, "\(name)") { try document.write(to: folder.path) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path)) == before, "\(name)")
        }
        try good.write(to: folder.path)
        #expect(try SessionDocument(path: folder.path) == good)
    }

    @Test("An action with numbers that no script could say is refused, by itself and in a script")
    func actions() async throws {
        let (folder, document) = try Self.folder()
        let player = try await SessionPlayer(document, path: folder.path)
        var actions: [ScriptAction] = [
            .stems(.loop(start: 1, end: 0)), .stems(.loop(start: 1, end: 1)), .playlist(.speed(index: 0, value: 0)),
        ]
        for value in Self.odd {
            actions += [
                .stems(.loop(start: 0, end: value)), .stems(.loop(start: value, end: 2)),
                .playlist(.speed(index: 0, value: value)), .playlist(.transpose(index: 0, semitones: value)),
                .playlist(.formants(index: 0, semitones: value)),
                .playlist(.change(id: "p", .speed(value))),
            ]
        }
        for action in actions {
            #expect(throws: SessionError.self, "\(action)") { try player.perform(action) }
            var script = PerformanceScript()
            script.entries = [ScriptEntry(time: .frame(.zero), action: action)]
            #expect(throws: SessionError.self, "\(action)") {
                try OfflineRender(
                    player, script: script, frames: 1_000, blockFrames: 64, output: .init(path: folder.path + ".wav"))
            }
        }
        try player.perform(.stems(.loop(start: 0, end: 0.5)))
    }

    @Test("A render has blocks of some length, whatever it is asked for", arguments: [Int.min, -1, 0, Int.max])
    func blocks(frames: Int) async throws {
        let (folder, document) = try Self.folder()
        let player = try await SessionPlayer(document, path: folder.path)
        let path = folder.folder.path("out.wav")
        let render = try OfflineRender(
            player, script: PerformanceScript(), frames: 1_000, blockFrames: frames, output: .init(path: path))
        _ = try render.run()
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test(
        "Keys that this version does not know are kept in the smallest parts of a session too",
        arguments: [
            #"{"barline": 1, "inputs": [{"name": "m", "from": {"output": "main", "x": [1]}}]}"#,
            #"""
            {"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "c", "slot": 0, "file": "a.wav", "latency":
            {"frames": 7, "correction": 1, "output": "o", "input": "i", "sampleRate": 48000, "x": [1]}}]}]}
            """#,
            #"""
            {"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "c", "slot": 0, "file": "a.wav", "beats": 4, "pass":
            {"change": "reverse", "position": 0, "length": 96000, "x": [1]}}]}]}
            """#,
            #"""
            {"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "c", "slot": 0, "file": "a.wav", "beats": 4, "pass":
            {"file": "i.wav", "start": 24000, "recorded": 96000, "feedback": 80, "position": 0, "length": 96000, "x": [1]}}]}]}
            """#,
        ])
    func unknownKeys(text: String) throws {
        let folder = try SessionFolder()
        let document = try folder.document(text)
        try document.write(to: folder.path)
        let saved = try String(contentsOfFile: folder.path, encoding: .utf8)
        #expect(saved.filter { !$0.isWhitespace }.contains(#""x":[1]"#))
        #expect(try SessionDocument(path: folder.path) == document)
    }
}
