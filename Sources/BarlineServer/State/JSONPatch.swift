import BarlineSession

/// What has changed from one JSON value to another, as operations of RFC 6902.
enum JSONPatch {
    /// The changes, to be made in their order.
    static func changes(from old: JSONValue, to new: JSONValue, path: String = "") -> [JSONValue] {
        if old == new { return [] }
        switch (old, new) {
        case (.object(let before), .object(let after)):
            var changes: [JSONValue] = []
            for key in Set(before.keys).union(after.keys).sorted() {
                let place = "\(path)/\(escaped(key))"
                switch (before[key], after[key]) {
                case (let left?, let right?): changes += self.changes(from: left, to: right, path: place)
                case (nil, let right?): changes.append(["op": "add", "path": .string(place), "value": right])
                case (_?, nil): changes.append(["op": "remove", "path": .string(place)])
                case (nil, nil): break
                }
            }
            return changes
        case (.array(let before), .array(let after)) where before.count == after.count:
            return zip(before, after).enumerated().flatMap { index, pair in
                self.changes(from: pair.0, to: pair.1, path: "\(path)/\(index)")
            }
        default: return [["op": "replace", "path": .string(path), "value": new]]
        }
    }

    private static func escaped(_ key: String) -> String {
        key.replacing("~", with: "~0").replacing("/", with: "~1")
    }
}
