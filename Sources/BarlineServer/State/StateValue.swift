import BarlineSession

/// The state, or a part of it, as JSON.
///
/// Long lists and tables share with the state before what is as it was there: to copy one, to change it and to compare
/// it with the one before costs what has changed.
indirect enum StateValue: Equatable, Sendable {
    /// A value that is always made again as a whole.
    case value(JSONValue)
    /// An object of a few keys.
    case object([String: StateValue])
    /// A list.
    case list(SharedList<StateValue>)
    /// An object of many keys.
    case table(SharedTable<JSONValue>)

    /// It as JSON. O(*n*).
    var json: JSONValue {
        switch self {
        case .value(let value): value
        case .object(let values): .object(values.mapValues(\.json))
        case .list(let values): .array(values.map(\.json))
        case .table(let values): .object(values.dictionary)
        }
    }

    static func == (left: StateValue, right: StateValue) -> Bool {
        switch (left, right) {
        case (.value(let left), .value(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        case (.table(let left), .table(let right)): left.changes(since: right).isEmpty
        default: left.json == right.json
        }
    }
}
