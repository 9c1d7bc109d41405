/// The difference between two sessions, as JSON: of lists only the changes in them, so that an edit of a large session
/// is as short as one of a small one.
enum DocumentChange {
    /// What makes `new` of `old`; `nil` where nothing does.
    ///
    /// - Complexity: O(*n*) comparisons in the tracks and in the clips of those that have changed; of the items those
    ///   are compared that the two do not share.
    static func json(from old: SessionDocument, to new: SessionDocument) -> JSONValue? {
        var values: [String: JSONValue] = [:]
        values["tracks"] = list(from: SharedList(old.tracks), to: SharedList(new.tracks), whole: \.json) { old, new in
            var change: [String: JSONValue] = [:]
            if old.clips != new.clips {
                change["clips"] = list(
                    from: SharedList(old.clips), to: SharedList(new.clips), whole: \.json
                ) { _, clip in clip.json }
            }
            change["track"] = new.withoutClips.json
            return .object(change)
        }
        values["playlist"] = list(from: old.items, to: new.items, whole: \.json) { _, item in item.json }
        let (before, after) = (old.withoutLists, new.withoutLists)
        if before != after { values["session"] = after.json }
        return values.isEmpty ? nil : .object(values)
    }

    /// Makes the session in `values` the one after a change.
    ///
    /// - Returns: whether the change is one that can be made there.
    static func apply(_ change: JSONValue, to values: inout [String: JSONValue]) -> Bool {
        guard case .object(let changes) = change else { return false }
        var result = values
        if let session = changes["session"] {
            guard case .object(let session) = session else { return false }
            result = session
            for key in lists { result[key] = values[key] }
        }
        for key in lists {
            guard let change = changes[key] else { continue }
            guard let list = applied(change, to: result[key], part: key == "tracks" ? changedTrack : { $1 }) else {
                return false
            }
            result[key] = .array(list)
        }
        values = result
        return true
    }

    private static let lists = ["tracks", "playlist"]

    private static func changedTrack(_ old: JSONValue, _ change: JSONValue) -> JSONValue? {
        guard case .object(let old) = old, case .object(let change) = change, case .object(var track)? = change["track"]
        else { return nil }
        track["clips"] = old["clips"]
        if let clips = change["clips"] {
            guard let list = applied(clips, to: old["clips"], part: { $1 }) else { return nil }
            track["clips"] = .array(list)
        }
        return .object(track)
    }

    // MARK: Lists

    /// What makes one list of another; `whole` writes an element that is new, `part` what has changed of one that stays
    /// in its place. `nil` where nothing has changed.
    private static func list<Element>(
        from old: SharedList<Element>, to new: SharedList<Element>, whole: (Element) -> JSONValue,
        part: (Element, Element) -> JSONValue
    ) -> JSONValue? {
        let (head, tail) = old.common(with: new)
        if head == old.count, head == new.count { return nil }
        if old.count == new.count {
            let changes = (head..<new.count - tail).filter { old[$0] != new[$0] }
            return ["set": .array(changes.map { [.number(Double($0)), part(old[$0], new[$0])] })]
        }
        return [
            "from": .number(Double(head)), "remove": .number(Double(old.count - head - tail)),
            "insert": .array(new[head..<new.count - tail].map(whole)),
        ]
    }

    private static func applied(
        _ change: JSONValue, to list: JSONValue?, part: (JSONValue, JSONValue) -> JSONValue?
    ) -> [JSONValue]? {
        guard case .object(let change) = change else { return nil }
        var elements: [JSONValue] = []
        if case .array(let old)? = list { elements = old }
        if case .array(let changes)? = change["set"] {
            for case .array(let pair) in changes {
                guard pair.count == 2, case .number(let number) = pair[0], let index = Int(exactly: number),
                    elements.indices.contains(index), let new = part(elements[index], pair[1])
                else { return nil }
                elements[index] = new
            }
            return elements
        }
        guard case .number(let from)? = change["from"], case .number(let remove)? = change["remove"],
            case .array(let insert)? = change["insert"], let head = Int(exactly: from),
            let count = Int(exactly: remove),
            head >= 0, count >= 0, head <= elements.count, count <= elements.count - head
        else { return nil }
        elements.replaceSubrange(head..<head + count, with: insert)
        return elements
    }
}

extension SessionDocument {
    /// The same without what changes of lists tell: tracks, and items of the playlist.
    var withoutLists: SessionDocument {
        var document = self
        document.tracks = []
        document.items = SharedList()
        return document
    }
}

extension TrackDocument {
    /// The same without its clips.
    package var withoutClips: TrackDocument {
        var track = self
        track.clips = []
        return track
    }
}
