import BarlineTestSupport
import Synchronization
import Testing

@testable import BarlineSession

/// Tables whose copies share what is the same, beside dictionaries.
@Suite("Tables that share", .fewAtATime)
struct SharedTableTests {
    /// A value that is itself only.
    private final class Thing: Sendable {}

    private func same(_ table: SharedTable<Thing>, _ model: [String: Thing]) -> Bool {
        let dictionary = table.dictionary
        return table.count == model.count && dictionary.count == model.count && Set(table.keys) == Set(model.keys)
            && model.allSatisfy { table[$0] === $1 && dictionary[$0] === $1 }
    }

    @Test(
        "After any edits they are the dictionaries, and the copies of before are what they were",
        arguments: UInt64(1)...4)
    func edits(seed: UInt64) {
        var random = TestRandom(seed: seed)
        var table = SharedTable<Thing>()
        var model: [String: Thing] = [:]
        var past: [(table: SharedTable<Thing>, model: [String: Thing])] = []
        for round in 0..<40 {
            past.append((table, model))
            // Those that there are, those that there were, and new ones.
            for _ in 0..<random.int(1...400) {
                let key = "clip-\(random.int(0...(round + 1) * 60))"
                let thing = random.chance(round < 30 ? 0.2 : 0.8) ? nil : Thing()
                table[key] = thing
                model[key] = thing
            }
            #expect(same(table, model))
        }
        #expect(past.allSatisfy { same($0.table, $0.model) })
        for key in model.keys { table[key] = nil }
        #expect(table.count == 0 && table.keys.isEmpty)
    }

    @Test("What has changed from one to another is what differs in the dictionaries", arguments: UInt64(1)...3)
    func changes(seed: UInt64) {
        var random = TestRandom(seed: seed)
        var past: [(table: SharedTable<Int>, model: [String: Int])] = [(SharedTable(), [:])]
        var (table, model) = past[0]
        for round in 0..<40 {
            for _ in 0..<random.int(0...60) {
                let key = "item-\(random.int(0...(round + 1) * 30))"
                let value = random.chance(0.3) ? nil : random.int(0...3)
                table[key] = value
                model[key] = value
            }
            past.append((table, model))
            let before = random.pick(past)
            let changes = table.changes(since: before.table)
            let keys = Set(model.keys).union(before.model.keys).filter { model[$0] != before.model[$0] }
            #expect(Set(changes.map(\.key)) == keys && changes.count == keys.count)
            #expect(changes.allSatisfy { $0.old == before.model[$0.key] && $0.new == model[$0.key] })
        }
    }

    /// A value that counts how often it is compared.
    private struct Counted: Equatable, Sendable {
        let number: Int
        let count: Comparisons

        static func == (left: Counted, right: Counted) -> Bool {
            left.count.note()
            return left.number == right.number
        }
    }

    private final class Comparisons: Sendable {
        private let count = Mutex(0)
        var total: Int { count.withLock { $0 } }
        func note() { count.withLock { $0 += 1 } }
    }

    @Test("One change among 100,000 is found by a few dozen comparisons")
    func comparisons() {
        let count = Comparisons()
        var table = SharedTable<Counted>()
        for number in 0..<100_000 { table["item-\(number)"] = Counted(number: number, count: count) }
        let before = table
        table["item-70000"] = Counted(number: -1, count: count)
        let made = count.total
        #expect(table.changes(since: before).map(\.key) == ["item-70000"])
        #expect(count.total - made <= 64)
    }

    @Test("What is not there is not found, and taking it away changes nothing")
    func missing() {
        var table = SharedTable<Thing>()
        table["a"] = nil
        #expect(table.count == 0 && table["a"] == nil)
        let thing = Thing()
        table["a"] = thing
        table["b"] = nil
        #expect(table.count == 1 && table["a"] === thing && table["b"] == nil)
        table["a"] = thing
        #expect(table.count == 1)
    }
}
