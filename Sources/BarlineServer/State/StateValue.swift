import BarlineSession

/// The state, or a part of it, as JSON.
///
/// Long lists and tables share with the state before what is as it was there: to copy one, to change it and to compare
/// it with the one before costs what has changed. The longest become JSON only where they are sent.
indirect enum StateValue: Equatable, Sendable {
    /// A value that is always made again as a whole.
    case value(JSONValue)
    /// An object of a few keys.
    case object([String: StateValue])
    /// A list.
    case list(SharedList<StateValue>)
    /// An object of many keys.
    case table(SharedTable<JSONValue>)
    /// The items of the session's playlist.
    case items(SharedList<PlaylistItemDocument>)
    /// What is to be known of them beside that, by identifier.
    case itemFacts(SharedTable<PlaylistItemState>)

    /// It as JSON. O(*n*).
    var json: JSONValue {
        switch self {
        case .value(let value): value
        case .object(let values): .object(values.mapValues(\.json))
        case .list(let values): .array(values.map(\.json))
        case .table(let values): .object(values.dictionary)
        case .items(let items): .array(items.map(\.json))
        case .itemFacts(let items): .object(items.dictionary.mapValues(\.json))
        }
    }

    /// Writes it as JSON.
    ///
    /// - Complexity: O(*n* log *n*), in the memory of what is written.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .value(let value): writer.add(value)
        case .object(let values):
            writer.add(object: Array(values.keys)) { writer, key in (values[key] ?? .value(.null)).write(to: &writer) }
        case .list(let values): writer.add(list: values) { $1.write(to: &$0) }
        case .table(let values): writer.add(object: values.keys) { $0.add(values[$1] ?? .null) }
        case .items(let items): writer.add(list: items) { $0.add($1.json) }
        case .itemFacts(let items): writer.add(object: items.keys) { $0.add(items[$1]?.json ?? .null) }
        }
    }

    static func == (left: StateValue, right: StateValue) -> Bool {
        switch (left, right) {
        case (.value(let left), .value(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        case (.table(let left), .table(let right)): left.changes(since: right).isEmpty
        case (.items(let left), .items(let right)): left == right
        case (.itemFacts(let left), .itemFacts(let right)): left.changes(since: right).isEmpty
        default: left.json == right.json
        }
    }
}
