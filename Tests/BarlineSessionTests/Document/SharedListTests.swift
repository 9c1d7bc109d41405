import BarlineTestSupport
import Synchronization
import Testing

@testable import BarlineSession

/// Lists whose copies share what is the same, beside arrays.
@Suite("Lists that share", .fewAtATime)
struct SharedListTests {
    /// A number that counts how often it is compared.
    private struct Counted: Equatable, Sendable {
        static let comparisons = Atomic<Int>(0)
        let value: Int

        static func == (left: Counted, right: Counted) -> Bool {
            comparisons.add(1, ordering: .relaxed)
            return left.value == right.value
        }
    }

    /// Edits a list and its model alike.
    private func edit(_ list: inout SharedList<Int>, _ model: inout [Int], _ random: inout TestRandom) {
        let start = random.int(0...model.count)
        let most = [0, 1, 3, 40, 700].randomElement(using: &random) ?? 0
        let end = min(model.count, start + random.int(0...most))
        let new = (0..<random.int(0...([0, 1, 3, 900].randomElement(using: &random) ?? 0))).map { _ in random.int(0...3)
        }
        list.replace(start..<end, with: new)
        model.replaceSubrange(start..<end, with: new)
    }

    @Test("After any edits they are the arrays, and the copies of before are what they were", arguments: UInt64(1)...4)
    func edits(seed: UInt64) {
        var random = TestRandom(seed: seed)
        var model = (0..<random.int(0...2_000)).map { $0 % 5 }
        var list = SharedList(model)
        var past: [(list: SharedList<Int>, model: [Int])] = []
        for _ in 0..<300 {
            past.append((list, model))
            edit(&list, &model, &random)
            #expect(list.count == model.count && Array(list) == model && list.checkInvariants())
            #expect(list.indices.map { list[$0] } == model)
            #expect(list == SharedList(model))
            #expect(list.hashValue == SharedList(model).hashValue)
            let other = past[random.int(0...past.count - 1)]
            #expect(Array(other.list) == other.model)
            #expect((list == other.list) == (model == other.model))
            let (head, tail) = list.common(with: other.list)
            let expected = model.common(with: other.model)
            #expect(head == expected.head)
            #expect(head + tail == expected.head + expected.tail)
            #expect(Array(list.sharing(other.list)) == model)
        }
    }

    @Test("The common ends of two arrays are all that they have in common there")
    func arrays() {
        var random = TestRandom(seed: 8)
        for _ in 0..<2_000 {
            let one = (0..<random.int(0...6)).map { _ in random.int(0...1) }
            let other = (0..<random.int(0...6)).map { _ in random.int(0...1) }
            let (head, tail) = one.common(with: other)
            let most = min(one.count, other.count)
            #expect(one.prefix(head) == other.prefix(head) && one.suffix(tail) == other.suffix(tail))
            #expect(head + tail <= most)
            #expect(head == most || one[head] != other[head])
            #expect(head + tail == most || one[one.count - 1 - tail] != other[other.count - 1 - tail])
        }
    }

    @Test("A long list is compared with the one that it was by a look at what an edit has touched")
    func comparisons() {
        let list = SharedList((0..<100_000).map(Counted.init))
        func count(_ body: () -> Void) -> Int {
            let before = Counted.comparisons.load(ordering: .relaxed)
            body()
            return Counted.comparisons.load(ordering: .relaxed) - before
        }
        for place in [0, 1, 255, 256, 50_000, 99_999, 100_000] {
            var edited = list
            edited.replace(place..<place, with: [Counted(value: -1)])
            var ends = (head: 0, tail: 0)
            #expect(count { ends = edited.common(with: list) } < 2_000)
            #expect(ends == (place, 100_000 - place))
            // As one that was written and read again in that place.
            let again = edited.sharing(list)
            var isSame = false
            #expect(count { isSame = again == edited } < 2_000)
            #expect(isSame)
            #expect(count { ends = again.common(with: list) } < 2_000)
            #expect(ends == (place, 100_000 - place))
        }
        var isSame = false
        #expect(count { isSame = list == list } == 0)
        #expect(isSame)
    }
}
