import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Takes in which a large set is edited many times.
@Suite("Takes of large sets", .fewAtATime)
struct LargeTakeTests {
    private func document(clips: Int) -> SessionDocument {
        var document = SessionDocument()
        document.tracks = (0..<8).map { number in
            var track = TrackDocument(id: "t\(number)", name: "Track \(number)")
            track.clips = (0..<clips / 8).map { slot in
                ClipDocument(
                    id: "c\(number)-\(slot)", name: "Größe +\(slot) 音", file: "loops/音 \(slot).wav", slot: slot)
            }
            return track
        }
        return document
    }

    /// One of the edits that a set gets.
    private func edit(_ document: inout SessionDocument, number: Int, _ random: inout TestRandom) {
        let track = random.int(0...document.tracks.count - 1)
        let clips = document.tracks[track].clips.count
        switch random.int(0...7) {
        case 0: document.tempo = Double(random.int(60...180))
        case 1: document.tracks[track].gain = -Double(random.int(0...30))
        case 2 where clips > 1: document.tracks[track].clips.remove(at: random.int(0...clips - 1))
        case 3:
            document.tracks[track].clips.append(
                ClipDocument(id: "new\(number)", name: "new", file: "new.wav", slot: 1_000 + number))
        case 4: document.tracks.insert(TrackDocument(id: "track\(number)", name: "more"), at: track)
        case 5:
            let end = document.items.count
            document.items.replace(
                end..<end, with: [PlaylistItemDocument(id: "item\(number)", file: "song \(number).flac")])
        case 6 where document.items.count > 1: document.items.replace(0..<1, with: [])
        default: if clips > 0 { document.tracks[track].clips[random.int(0...clips - 1)].gain = -Double(number) }
        }
    }

    /// A take with `count` edits of a set of 800 clips, other actions between them.
    private func take(_ count: Int, seed: UInt64) -> PerformanceScript {
        var random = TestRandom(seed: seed)
        var document = document(clips: 800)
        var script = PerformanceScript()
        script.beginning = ScriptBeginning(
            session: document, folder: "/sets", frame: .zero, frames: 1_000_000, sampleRate: .standard)
        for number in 0..<count {
            edit(&document, number: number, &random)
            let frame = FrameTime(Int64(1_000 * number))
            let kept = random.chance(0.2) ? ["c0-1"] : []
            script.entries += [
                ScriptEntry(time: .frame(frame), action: .session(document, kept: kept)),
                ScriptEntry(time: .frame(frame), action: .gain(.track("t0"), db: -Double(number % 50))),
            ]
        }
        return script
    }

    private func withoutLines(_ entries: [ScriptEntry]) -> [ScriptEntry] {
        entries.map { entry in
            var entry = entry
            entry.line = 0
            return entry
        }
    }

    @Test(
        "A take with many edits of a large set is not many times the set, and has each edit as it was", arguments: 1...3
    )
    func script(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let take = take(60, seed: seed)
        let path = folder.path("take.jsonl")
        try take.write(to: path, at: .standard)
        let set = JSONText.line(take.beginning?.session.json ?? .null).utf8.count
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        #expect(set > 150_000 && size < RecordedSessionWriter.wholeBytes + 3 * set + 60 * 2_000)
        let read = try PerformanceScript(path: path)
        #expect(read.beginning == take.beginning)
        #expect(withoutLines(read.entries) == take.entries)
    }

    @Test("So has the journal of one that was broken off, up to where it ends")
    func journal() throws {
        let folder = try TemporaryFolder()
        let take = take(50, seed: 7)
        let journal = try TakeJournal(path: folder.path("take.unfinished"))
        try journal.begin(try #require(take.beginning))
        for (order, entry) in take.entries.enumerated() {
            try journal.append([TakeJournal.Line(entry: entry, order: order, place: order)])
        }
        let text = try String(contentsOfFile: journal.path, encoding: .utf8)
        #expect(withoutLines(try PerformanceScript(journal: text, path: "take").entries) == take.entries)
        let cut = String(text.dropLast(60))
        let some = withoutLines(try PerformanceScript(journal: cut, path: "take").entries)
        #expect(some == Array(take.entries.dropLast()))
    }

    @Test("The sessions of a short take are whole, for every program to read")
    func short() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("take.jsonl")
        try take(3, seed: 1).write(to: path, at: .standard)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let edits = lines.filter { $0.contains("\"do\":\"session\"") }
        #expect(edits.count == 3)
        for edit in edits {
            guard case .success(.object(let values)) = JSONText.parse(Data(edit.utf8)),
                case .object(let session)? = values["session"], case .array(let tracks)? = session["tracks"]
            else {
                Issue.record("no whole session")
                continue
            }
            #expect(tracks.count >= 8 && values["change"] == nil)
        }
    }

    @Test(
        "A change that the session before has no place for is named with its line",
        arguments: [
            #"{"tracks": {"set": [[7, {"track": {"id": "a"}}]]}}"#,
            #"{"playlist": {"from": 3, "remove": 1, "insert": []}}"#,
            #"{"session": 5}"#, #""none""#,
        ])
    func impossible(change: String) throws {
        let text = """
            {"do": "begin", "session": {"barline": 1}, "folder": "/sets", "frame": 0, "sampleRate": 48000}
            {"do": "session", "frame": 10, "change": \(change)}
            """
        let error = #expect(throws: SessionError.self) { try PerformanceScript(text: text, path: "take.jsonl") }
        let said = error.map { "\($0)" } ?? ""
        #expect(said.contains("line 2.change") && said.contains("what makes another session of the one before it"))
    }
}
