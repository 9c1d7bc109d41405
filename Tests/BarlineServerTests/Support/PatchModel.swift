import BarlineSession
import Testing

/// JSON Patch as RFC 6902 says it, as far as the server uses it.
enum PatchModel {
    /// An operation at a place where there is nothing to do it to.
    struct Misplaced: Error {
        let operation: JSONValue
    }

    static func applying(_ operation: JSONValue, to value: JSONValue) throws -> JSONValue {
        let path = try #require(operation["path"]?.text)
        let keys = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map { (key: Substring) -> String in String(key).replacing("~1", with: "/").replacing("~0", with: "~") }
        return try changed(value, keys[...], operation)
    }

    private static func changed(_ value: JSONValue, _ keys: ArraySlice<String>, _ operation: JSONValue) throws
        -> JSONValue
    {
        guard let key = keys.first else { return try #require(operation["value"]) }
        let (rest, word) = (keys.dropFirst(), operation["op"])
        switch value {
        case .object(var values):
            guard values[key] != nil || rest.isEmpty && word == "add" else { throw Misplaced(operation: operation) }
            let isGone = rest.isEmpty && word == "remove"
            values[key] = isGone ? nil : try changed(values[key] ?? .null, rest, operation)
            return .object(values)
        case .array(var values):
            let index = try #require(Int(key))
            if rest.isEmpty, word == "add", index <= values.count {
                values.insert(try #require(operation["value"]), at: index)
                return .array(values)
            }
            guard values.indices.contains(index) else { throw Misplaced(operation: operation) }
            if rest.isEmpty, word == "remove" {
                values.remove(at: index)
            } else {
                values[index] = try changed(values[index], rest, operation)
            }
            return .array(values)
        default: throw Misplaced(operation: operation)
        }
    }
}
