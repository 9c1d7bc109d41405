import BarlineSession

/// What has changed from one JSON value to another, as operations of RFC 6902.
///
/// Values that share their storage are equal without a look inside: where a state is made of the one before, a
/// comparison costs what has changed.
enum JSONPatch {
    /// In a list that has become longer or shorter, at most so many elements are added or taken out one by one.
    private static let mostMoves = 64

    /// The changes, to be made in their order.
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

    private static func changes(
        from before: [String: JSONValue], to after: [String: JSONValue], _ path: String
    ) -> [JSONValue] {
        var changed = after.filter { key, value in before[key] != value }.map(\.key)
        changed += before.keys.filter { after[$0] == nil }
        return changed.sorted().flatMap { key -> [JSONValue] in
            let place = "\(path)/\(escaped(key))"
            return switch (before[key], after[key]) {
            case (let left?, let right?): changes(from: left, to: right, path: place)
            case (nil, let right?): [["op": "add", "path": .string(place), "value": right]]
            default: [["op": "remove", "path": .string(place)]]
            }
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
