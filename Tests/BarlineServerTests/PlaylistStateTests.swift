import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineServer
@testable import BarlineSession

/// What clients know of a list is made of what they knew.
@Suite("What is known of a list")
struct PlaylistStateTests {
    private func action(_ count: Int, _ number: Int, _ random: inout TestRandom) -> PlaylistAction {
        let index = random.int(0...max(0, count - 1))
        switch random.int(0...11) {
        case 0...4:
            return .insert(index: random.int(0...count), file: "\(number % 5).wav", id: "n\(number)", title: nil)
        case 5: return .insert(index: random.int(0...count), file: "a.wav", id: nil, title: "Title \(number)")
        case 6: return .remove(index)
        case 7: return .move(from: index, to: random.int(0...max(0, count - 1)))
        case 8: return .replace(index: index, file: "r.wav", id: nil, title: nil)
        case 9: return .transpose(index: index, semitones: Double(number % 5))
        case 10: return .speed(index: index, value: 1 + Double(number % 4) / 10)
        default: return number % 20 == 0 ? .clear : .remove(index)
        }
    }

    private func written(_ value: StateValue) -> String {
        String(decoding: JSONWriter.line { value.write(to: &$0) }, as: UTF8.self)
    }

    @Test("After any edits it is what it would be if it were made anew", arguments: UInt64(1)...3)
    func edits(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        for name in (0..<7).map(String.init) + ["a", "r", "other"] {
            try folder.write("\(name).wav", WaveFile([Double](repeating: 0.1, count: 480)).bytes)
        }
        var document = SessionDocument()
        document.playlist = (0..<600).map { PlaylistItemDocument(id: "p\($0)", file: "\($0 % 7).wav") }
        let player = try await SessionPlayer(document, path: folder.path("set.barline"), policy: .lenient)
        let (playlist, facts) = (player.playlist, PlaylistFacts(player.playlist))
        var random = TestRandom(seed: seed)
        var items = PlaylistItems()
        var cache = StateCache()
        var sent = (facts: StateValue.itemFacts(SharedTable()), list: StateValue.items(SharedList()))
        var (known, knownList) = (sent.facts.json, sent.list.json)
        for number in 0..<300 {
            _ = try? player.perform(.playlist(action(player.document.items.count, number, &random)))
            let listed = playlist.listing.documents
            let isAll = Array(listed) == playlist.player.order.compactMap(playlist.document)
            let isKept = player.document.items == listed
            #expect(isAll && isKept)
            var anew = PlaylistItems()
            let isSame = items.table(of: playlist, facts).dictionary == anew.table(of: playlist, facts).dictionary
            let isSession = cache.value(of: player.document).json == player.document.json
            #expect(isSame && isSession)
            let (new, list) = (StateValue.itemFacts(anew.table(of: playlist, facts)), StateValue.items(listed))
            #expect(written(new) == new.json.line)
            #expect(written(list) == list.json.line)
            known = try JSONPatch.changes(from: sent.facts, to: new).reduce(known) {
                try PatchModel.applying($1, to: $0)
            }
            knownList = try JSONPatch.changes(from: sent.list, to: list).reduce(knownList) {
                try PatchModel.applying($1, to: $0)
            }
            #expect(known == new.json)
            #expect(knownList == list.json)
            sent = (new, list)
            if number == 150 { try player.perform(.playlist(.clear)) }
        }
        facts.catchUp()
        let order = playlist.player.order
        #expect(eventually { order.allSatisfy { facts.known($0)?.duration == 0.01 } })
        var anew = PlaylistItems()
        let isSame = items.table(of: playlist, facts).dictionary == anew.table(of: playlist, facts).dictionary
        #expect(isSame)
        // What left the list is forgotten, what came to it is looked at.
        _ = try player.perform(.playlist(.remove(0)))
        _ = try player.perform(.playlist(.insert(index: 0, file: "other.wav", id: "other", title: nil)))
        facts.catchUp()
        let came = try #require(playlist.player.order.first)
        #expect(eventually { facts.known(came)?.duration == 0.01 })
        #expect(order.first.map(facts.known) ?? nil == nil)
    }
}
