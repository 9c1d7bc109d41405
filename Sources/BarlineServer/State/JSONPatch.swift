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
        case (.object(let before), .object(let after)): return changes(from: before, to: after, path)
        case (.list(let before), .list(let after)): return changes(from: before, to: after, path)
        case (.table(let before), .table(let after)): return changes(from: before, to: after, path)
        case (.items(let before), .items(let after)): return changes(from: before, to: after, path)
        case (.itemFacts(let before), .itemFacts(let after)): return changes(from: before, to: after, path)
        default: return changes(from: old.json, to: new.json, path: path)
        }
    }

    private static func changes<Value: Patched>(
        from before: SharedTable<Value>, to after: SharedTable<Value>, _ path: String
    ) -> [JSONValue] {
        after.changes(since: before).sorted { $0.key < $1.key }.flatMap { key, old, new in
            changes(from: old, to: new, "\(path)/\(escaped(key))")
        }
    }

    private static func changes<Element: Patched>(
        from before: SharedList<Element>, to after: SharedList<Element>, _ path: String
    ) -> [JSONValue] {
        let (head, tail) = before.common(with: after)
        let (old, new) = (Array(before[head..<before.count - tail]), Array(after[head..<after.count - tail]))
        if old.count == new.count, new.count <= mostMoves { return inPlace(from: old, to: new, at: head, path) }
        if let moves = moves(from: old, to: new, at: head, path) { return moves }
        if old.count == new.count { return inPlace(from: old, to: new, at: head, path) }
        return [replacement(path, .array(after.map(\.json)))]
    }

    /// The changes of elements that have kept their places, the first of which is at `head`.
    private static func inPlace<Element: Patched>(
        from before: [Element], to after: [Element], at head: Int, _ path: String
    ) -> [JSONValue] {
        zip(before, after).enumerated().flatMap { index, pair in
            pair.1.changes(since: pair.0, path: "\(path)/\(head + index)")
        }
    }

    /// What was put in, taken out and changed in a part of a list that begins at `head`, one by one; `nil` where that
    /// is too much.
    ///
    /// - Complexity: O(*n*) comparisons, of values that share their storage mostly.
    private static func moves<Element: Patched>(
        from before: [Element], to after: [Element], at head: Int, _ path: String
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
                moves += after[new].changes(since: before[old], path: place)
                (old, new) = (old + 1, new + 1)
            }
        }
        return moves
    }

    /// The changes of a JSON value, to be made in their order.
    static func changes(from old: JSONValue, to new: JSONValue, path: String = "") -> [JSONValue] {
        if old == new { return [] }
        switch (old, new) {
        case (.object(let before), .object(let after)): return changes(from: before, to: after, path)
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

    private static func changes<Value: Patched>(
        from before: [String: Value], to after: [String: Value], _ path: String
    ) -> [JSONValue] {
        var changed = after.filter { key, value in before[key] != value }.map(\.key)
        changed += before.keys.filter { after[$0] == nil }
        return changed.sorted().flatMap { key in
            changes(from: before[key], to: after[key], "\(path)/\(escaped(key))")
        }
    }

    /// The changes of what one of two objects has at a place, or both.
    private static func changes<Value: Patched>(
        from before: Value?, to after: Value?, _ place: String
    ) -> [JSONValue] {
        switch (before, after) {
        case (let left?, let right?): right.changes(since: left, path: place)
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
        // Hardly any key has one of them, and to look takes less than to replace.
        key.utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }
            ? key.replacing("~", with: "~0").replacing("/", with: "~1") : key
    }
}

/// A value that a patch can describe a change of.
private protocol Patched: Equatable, Sendable {
    var json: JSONValue { get }

    /// What has changed since it was `old`, at `path`.
    func changes(since old: Self, path: String) -> [JSONValue]
}

extension Patched {
    fileprivate func changes(since old: Self, path: String) -> [JSONValue] {
        JSONPatch.changes(from: old.json, to: json, path: path)
    }
}

extension JSONValue: Patched {
    fileprivate var json: JSONValue { self }
}

extension StateValue: Patched {
    fileprivate func changes(since old: StateValue, path: String) -> [JSONValue] {
        JSONPatch.changes(from: old, to: self, path: path)
    }
}

extension PlaylistItemDocument: Patched {}

extension PlaylistItemState: Patched {}
