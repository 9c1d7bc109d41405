import BarlineSession

/// The difference between two JSON values, as operations of RFC 6902.
///
/// Values that share their storage are equal without a look inside: where a state is made of the one before, a
/// comparison costs what has changed.
enum JSONPatch {
    /// In a list that has become longer or shorter, at most so many elements are added or taken out one by one.
    private static let mostMoves = 64
    /// So far on an element is looked for, to see whether others were put in before it.
    private static let reach = 16

    /// The changes of the state, to be made in their order.
    ///
    /// - Complexity: that of what has changed, and of comparing its place with those beside it.
    static func changes(from old: StateValue, to new: StateValue, path: String = "") -> [JSONValue] {
        switch (old, new) {
        case (.object(let before), .object(let after)):
            return changes(from: before, to: after, path) { changes(from: $0, to: $1, path: $2) }
        case (.list(let before), .list(let after)): return changes(from: before, to: after, path)
        case (.table(let before), .table(let after)):
            return after.changes(since: before).sorted { $0.key < $1.key }.flatMap { key, old, new in
                changes(from: old, to: new, "\(path)/\(escaped(key))") { changes(from: $0, to: $1, path: $2) }
            }
        default: return changes(from: old.json, to: new.json, path: path)
        }
    }

    private static func changes(
        from before: SharedList<StateValue>, to after: SharedList<StateValue>, _ path: String
    ) -> [JSONValue] {
        let (head, tail) = before.common(with: after)
        let (old, new) = (Array(before[head..<before.count - tail]), Array(after[head..<after.count - tail]))
        if old.count == new.count, new.count <= mostMoves { return inPlace(from: old, to: new, at: head, path) }
        if let moves = moves(from: old, to: new, at: head, path) { return moves }
        if old.count == new.count { return inPlace(from: old, to: new, at: head, path) }
        return [replacement(path, StateValue.list(after).json)]
    }

    /// The changes of elements that have kept their places, the first of which is at `head`.
    private static func inPlace(
        from before: [StateValue], to after: [StateValue], at head: Int, _ path: String
    ) -> [JSONValue] {
        zip(before, after).enumerated().flatMap { index, pair in
            changes(from: pair.0, to: pair.1, path: "\(path)/\(head + index)")
        }
    }

    /// What was put in, taken out and changed in a part of a list that begins at `head`, one by one; `nil` where that
    /// is too much.
    ///
    /// - Complexity: O(*n*) comparisons, of values that share their storage mostly.
    private static func moves(
        from before: [StateValue], to after: [StateValue], at head: Int, _ path: String
    ) -> [JSONValue]? {
        var (old, new) = (0, 0)
        var moves: [JSONValue] = []
        while old < before.count || new < after.count {
            let areBoth = old < before.count && new < after.count
            if areBoth, before[old] == after[new] {
                (old, new) = (old + 1, new + 1)
                continue
            }
            guard moves.count < mostMoves else { return nil }
            let place = "\(path)/\(head + new)"
            if old == before.count || (areBoth && after[new...].dropFirst().prefix(reach).contains(before[old])) {
                moves.append(["op": "add", "path": .string(place), "value": after[new].json])
                new += 1
            } else if new == after.count || before[old...].dropFirst().prefix(reach).contains(after[new]) {
                moves.append(["op": "remove", "path": .string(place)])
                old += 1
            } else {
                moves += changes(from: before[old], to: after[new], path: place)
                (old, new) = (old + 1, new + 1)
            }
        }
        return moves
    }

    /// The changes of a JSON value, to be made in their order.
    static func changes(from old: JSONValue, to new: JSONValue, path: String = "") -> [JSONValue] {
        if old == new { return [] }
        switch (old, new) {
        case (.object(let before), .object(let after)):
            return changes(from: before, to: after, path) { changes(from: $0, to: $1, path: $2) }
        case (.array(let before), .array(let after)):
            if before.count == after.count {
                return zip(before, after).enumerated().flatMap { index, pair in
                    pair.0 == pair.1 ? [] : changes(from: pair.0, to: pair.1, path: "\(path)/\(index)")
                }
            }
            return moves(from: before, to: after, path) ?? [replacement(path, new)]
        default: return [replacement(path, new)]
        }
    }

    /// The changes of an object, of whose values `inside` finds those that both have.
    private static func changes<Value: Equatable & Patched>(
        from before: [String: Value], to after: [String: Value], _ path: String,
        inside: (Value, Value, String) -> [JSONValue]
    ) -> [JSONValue] {
        var changed = after.filter { key, value in before[key] != value }.map(\.key)
        changed += before.keys.filter { after[$0] == nil }
        return changed.sorted().flatMap { key in
            changes(from: before[key], to: after[key], "\(path)/\(escaped(key))", inside: inside)
        }
    }

    /// The changes of what one of two objects has at a place, or both.
    private static func changes<Value: Patched>(
        from before: Value?, to after: Value?, _ place: String, inside: (Value, Value, String) -> [JSONValue]
    ) -> [JSONValue] {
        switch (before, after) {
        case (let left?, let right?): inside(left, right, place)
        case (nil, let right?): [["op": "add", "path": .string(place), "value": right.json]]
        default: [["op": "remove", "path": .string(place)]]
        }
    }

    /// The elements that were put in or taken out in one place of a list; `nil` where it is another list.
    private static func moves(from before: [JSONValue], to after: [JSONValue], _ path: String) -> [JSONValue]? {
        let (count, common) = (abs(after.count - before.count), min(before.count, after.count))
        guard count <= mostMoves else { return nil }
        let head = zip(before, after).prefix { $0 == $1 }.count
        let tail = zip(before.reversed(), after.reversed()).prefix(common - head).prefix { $0 == $1 }.count
        guard head + tail == common else { return nil }
        return (0..<count).map { offset in
            after.count > before.count
                ? ["op": "add", "path": .string("\(path)/\(head + offset)"), "value": after[head + offset]]
                : ["op": "remove", "path": .string("\(path)/\(head)")]
        }
    }

    private static func replacement(_ path: String, _ value: JSONValue) -> JSONValue {
        ["op": "replace", "path": .string(path), "value": value]
    }

    private static func escaped(_ key: String) -> String {
        key.replacing("~", with: "~0").replacing("/", with: "~1")
    }
}

/// A value that a patch can describe a change of.
private protocol Patched {
    var json: JSONValue { get }
}

extension JSONValue: Patched {
    fileprivate var json: JSONValue { self }
}

extension StateValue: Patched {}
