import BarlineTestSupport
import Testing

@testable import BarlineSession

@Suite("A session that two have changed", .fewAtATime)
struct DocumentMergeTests {
    @Test("It has what both have changed, by identifiers")
    func merge() throws {
        var base = SessionDocument()
        base.tracks = (0..<3).map { TrackDocument(id: "t\($0)", name: "Track \($0)") }
        base.tracks[0].clips = (0..<3).map { ClipDocument(id: "c\($0)", name: "Clip", file: "a.wav", slot: $0) }
        base.tracks[0].sends = [SendDocument(output: "phones"), SendDocument(output: "wedge")]
        base.rest["later"] = ["key": [1, 2]]
        base = try SessionDocument(base.json, file: "test")
        var theirs = base
        theirs.tracks[0].clips.remove(at: 1)
        theirs.tracks.swapAt(1, 2)
        theirs.tracks[0].clips[0].gain = -3
        theirs.tracks[0].sends[0].level = -6
        theirs.tempo = 90
        var mine = base
        mine.tracks[0].clips[1].gain = -9
        mine.tracks[0].clips[0].name = "Bass"
        mine.tracks[0].sends[1].level = -12
        mine.tracks[2].mute = true
        mine.tracks[1].clips.append(ClipDocument(id: "take", name: "Take", file: "b.wav", slot: 0))
        mine.tempo = 150
        let merged = try theirs.merging(mine, since: base, file: "test")
        var expected = theirs
        expected.tracks[0].clips[0].name = "Bass"
        expected.tracks[0].sends[1].level = -12
        expected.tracks[1].mute = true
        expected.tracks[2].clips = mine.tracks[1].clips
        // Both have set it: the later one stands.
        expected.tempo = 150
        #expect(merged == expected)
        #expect(try base.merging(mine, since: base, file: "test") == mine)
        #expect(try theirs.merging(base, since: base, file: "test") == theirs)
    }

    /// A session with many of everything that lists have.
    private func large(_ random: inout TestRandom) throws -> SessionDocument {
        var document = SessionDocument()
        document.tracks = (0..<6).map { track in
            var made = TrackDocument(id: "t\(track)", name: "Track \(track)")
            made.clips = (0..<random.int(0...8)).map {
                ClipDocument(id: "c\(track).\($0)", name: "Clip", file: "a.wav", slot: $0)
            }
            return made
        }
        document.playlist = (0..<random.int(0...700)).map { PlaylistItemDocument(id: "i\($0)", file: "a.wav") }
        document.rest["later"] = ["key": [1, 2]]
        return try SessionDocument(document.json, file: "test")
    }

    /// Edits a session somewhere.
    private func edit(_ document: inout SessionDocument, _ name: String, _ random: inout TestRandom) {
        for number in 0..<random.int(1...6) {
            let value = -Double(random.int(1...40))
            let track = random.int(0...max(0, document.tracks.count - 1))
            let clips = document.tracks[track].clips
            let clip = random.int(0...max(0, clips.count - 1))
            let item = random.int(0...max(0, document.items.count - 1))
            switch random.int(0...11) {
            case 0: document.tempo = 100 - value
            case 1: document.tracks[track].gain = value
            case 2 where !clips.isEmpty: document.tracks[track].clips[clip].gain = value
            case 3 where !clips.isEmpty: document.tracks[track].clips.remove(at: clip)
            case 4:
                let slot = (clips.map(\.slot).max() ?? -1) + (name == "mine" ? 1 : 100)
                let made = ClipDocument(id: "\(name)\(number)", name: "New", file: "b.wav", slot: slot)
                document.tracks[track].clips.append(made)
            case 5: document.tracks.shuffle(using: &random)
            case 6 where document.tracks.count > 2: document.tracks.remove(at: track)
            case 7:
                let place = random.int(0...document.items.count)
                document.playlist.insert(PlaylistItemDocument(id: "\(name)\(number)", file: "b.wav"), at: place)
            case 8 where !document.items.isEmpty: document.playlist.remove(at: item)
            case 9 where !document.items.isEmpty: document.playlist[item].gain = value
            case 10 where document.items.count > 1: document.playlist.swapAt(item, 0)
            default: document.rest["later"] = ["key": [1, .number(value)], .init(name): true]
            }
        }
    }

    @Test("Merged by its parts it is what it is as a whole", arguments: 1...60 as ClosedRange<UInt64>)
    func parts(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let base = try large(&random)
        var (theirs, mine) = (base, base)
        edit(&theirs, "theirs", &random)
        edit(&mine, "mine", &random)
        let whole = try #require(DocumentMerge.merge(base: base.json, theirs: theirs.json, mine: mine.json))
        let expected = try SessionDocument(whole, file: "test")
        #expect(try theirs.merging(mine, since: base, file: "test") == expected)
    }

    @Test("Where no session has both changes, the error names the place in the whole")
    func refused() throws {
        var base = SessionDocument()
        base.tracks = [TrackDocument(id: "t", name: "Track")]
        var (theirs, mine) = (base, base)
        theirs.tracks[0].clips = [ClipDocument(id: "a", name: "A", file: "a.wav", slot: 0)]
        mine.tracks[0].clips = [ClipDocument(id: "b", name: "B", file: "b.wav", slot: 0)]
        let error = #expect(throws: SessionError.self) { try theirs.merging(mine, since: base, file: "set.barline") }
        #expect(try #require(error).description.contains("tracks[0].clips[1].slot"))
    }
}
