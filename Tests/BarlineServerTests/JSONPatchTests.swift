import BarlineSession
import BarlineTestSupport
import Testing

@testable import BarlineServer

/// What is sent of a state's changes, made by a reader of RFC 6902 of the test's own.
@Suite("JSON Patch")
struct JSONPatchTests {
    private func patched(_ value: JSONValue, _ changes: [JSONValue]) throws -> JSONValue {
        try changes.reduce(value) { try PatchModel.applying($1, to: $0) }
    }

    private func random(_ depth: Int, _ random: inout TestRandom) -> JSONValue {
        switch random.int(0...(depth > 0 ? 6 : 3)) {
        case 0: return .null
        case 1: return .bool(random.chance(0.5))
        case 2: return .number(Double(random.int(0...9)))
        case 3: return .string(random.pick(["", "a", "b/c", "~"]))
        case 4: return .array((0..<random.int(0...6)).map { _ in self.random(depth - 1, &random) })
        default:
            let keys = ["a", "b", "c/d", "~e", "f"].filter { _ in random.chance(0.6) }
            return .object(Dictionary(uniqueKeysWithValues: keys.map { ($0, self.random(depth - 1, &random)) }))
        }
    }

    /// A value that differs from another one here and there.
    private func varied(_ value: JSONValue, _ random: inout TestRandom) -> JSONValue {
        if random.chance(0.1) { return self.random(2, &random) }
        switch value {
        case .array(var values):
            values = values.map { random.chance(0.3) ? varied($0, &random) : $0 }
            for _ in 0..<random.int(0...2) {
                values.insert(self.random(1, &random), at: random.int(0...values.count))
            }
            if !values.isEmpty, random.chance(0.4) { values.remove(at: random.int(0...values.count - 1)) }
            return .array(values)
        case .object(let values): return .object(values.mapValues { random.chance(0.4) ? varied($0, &random) : $0 })
        default: return value
        }
    }

    @Test("Whoever makes the changes has the new value, whatever it was before")
    func changes() throws {
        var random = TestRandom(seed: 11)
        for _ in 0..<3_000 {
            let old = self.random(4, &random)
            let new = random.chance(0.2) ? self.random(4, &random) : varied(old, &random)
            let changes = JSONPatch.changes(from: old, to: new)
            #expect(try patched(old, changes) == new, "\(old) to \(new): \(changes)")
            #expect(changes.isEmpty == (old == new))
        }
    }

    @Test("What comes into a long list, or leaves it, is sent by itself", arguments: [0, 500, 999])
    func moves(index: Int) {
        let list = (0..<1_000).map { JSONValue.object(["id": .number(Double($0))]) }
        var longer = list
        longer.insert("new", at: index)
        let added = JSONPatch.changes(from: .array(list), to: .array(longer), path: "/list")
        #expect(added == [["op": "add", "path": .string("/list/\(index)"), "value": "new"]])
        let removed = JSONPatch.changes(from: .array(longer), to: .array(list), path: "/list")
        #expect(removed == [["op": "remove", "path": .string("/list/\(index)")]])
    }

    private func list(_ numbers: some Sequence<Int>) -> SharedList<StateValue> {
        SharedList(numbers.map { .object(["id": .value(.number(Double($0)))]) })
    }

    @Test("What comes into a long list of the state, leaves it and changes in several places is sent by itself")
    func severalPlaces() throws {
        let before = list(0..<100_000)
        var after = before
        after.replace(90_000..<90_001, with: [])
        after.replace(50_000..<50_001, with: list([-1]))
        after.replace(700..<700, with: list([-2, -3]))
        after.replace(10..<10, with: list([-4]))
        let changes = JSONPatch.changes(from: StateValue.list(before), to: .list(after), path: "")
        #expect(changes.count == 5)
        #expect(try patched(StateValue.list(before).json, changes) == StateValue.list(after).json)
    }

    @Test("After any edits of a list of the state whoever makes the changes has the new one", arguments: UInt64(1)...4)
    func lists(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        var old = list(0..<300)
        for _ in 0..<150 {
            var new = old
            for _ in 0..<random.int(0...6) {
                let place = random.int(0...new.count)
                let end = min(new.count, place + random.int(0...(random.chance(0.1) ? 120 : 3)))
                let count = random.int(0...(random.chance(0.1) ? 120 : 3))
                new.replace(place..<end, with: list((0..<count).map { _ in random.int(0...400) }))
            }
            let changes = JSONPatch.changes(from: StateValue.list(old), to: .list(new), path: "")
            #expect(try patched(StateValue.list(old).json, changes) == StateValue.list(new).json)
            #expect(changes.isEmpty == (old == new))
            old = new
        }
    }
}
