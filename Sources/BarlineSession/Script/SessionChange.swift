/// A change of the session that a script makes: an edit of a clip's or stem's pitch or tempo, say, on its frame.
public struct SessionChange: Hashable, Sendable {
    /// The keys of its JSON object.
    let values: [String: JSONValue]

    /// The clip or stem that it is about; `nil` where it is about all.
    func id(_ kind: String) -> String? { if case .string(let id)? = values[kind] { id } else { nil } }

    /// The same with other paths for all files that it names.
    func withFiles(_ path: (String) -> String) -> SessionChange {
        guard case .object(var set)? = values["set"], case .string(let file)? = set["file"] else { return self }
        set["file"] = .string(path(file))
        var values = values
        values["set"] = .object(set)
        return SessionChange(values: values)
    }
}
