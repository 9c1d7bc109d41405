import BarlineTestSupport
import Testing

@testable import BarlineSession

/// Tables whose copies share what is the same, beside dictionaries.
@Suite("Tables that share")
struct SharedTableTests {
    /// A value that is itself only.
    private final class Thing: Sendable {}

    private func same(_ table: SharedTable<Thing>, _ model: [String: Thing]) -> Bool {
        table.count == model.count && table.dictionary.count == model.count && Set(table.keys) == Set(model.keys)
            && model.allSatisfy { table[$0] === $1 && table.dictionary[$0] === $1 }
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
