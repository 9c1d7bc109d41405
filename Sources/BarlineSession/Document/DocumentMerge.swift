/// What two have made of one session, in one.
enum DocumentMerge {
    /// What becomes of `base` where one has made `theirs` of it and another, later, `mine`. Elements of lists are known
    /// by their identifiers; where both have changed the same value, the later one stands.
    ///
    /// - Complexity: O(*n*) in the values.
    static func merge(base: JSONValue?, theirs: JSONValue?, mine: JSONValue?) -> JSONValue? {
        if mine == base { return theirs }
        if theirs == base { return mine }
        switch (theirs, mine) {
        case (.object(let theirs)?, .object(let mine)?):
            var former: [String: JSONValue] = [:]
            if case .object(let values)? = base { former = values }
            var merged: [String: JSONValue] = [:]
            for key in Set(theirs.keys).union(mine.keys) {
                merged[key] = merge(base: former[key], theirs: theirs[key], mine: mine[key])
            }
            return .object(merged)
        case (.array(let theirs)?, .array(let mine)?):
            var former: [JSONValue] = []
            if case .array(let values)? = base { former = values }
            guard let lists = ListMerge(base: former, theirs: theirs, mine: mine, identifier: identifier) else {
                return .array(mine)
            }
            return .array(lists.merged { merge(base: $0, theirs: $1, mine: $2) })
        default: return mine
        }
    }

    /// What an element of a list is known by: its `id`, or the output that a send goes to.
    private static func identifier(of element: JSONValue) -> String? {
        guard case .object(let values) = element, case .string(let id)? = values["id"] ?? values["output"] else {
            return nil
        }
        return id
    }
}

extension SessionDocument {
    /// The session with what another one has changed in `base`, from which both have come; what the other one has
    /// changed stands.
    ///
    /// - Parameters:
    ///   - other: the other one.
    ///   - base: what both were made of.
    ///   - file: what errors call it.
    /// - Returns: the session with both changes.
    /// - Throws: ``SessionError`` where no session has both changes.
    /// - Complexity: O(*n*) comparisons in the tracks, and in the clips and items of those and of the list where both
    ///   have changed them.
    func merging(_ other: SessionDocument, since base: SessionDocument, file: String) throws(SessionError)
        -> SessionDocument
    {
        if other == base { return self }
        if self == base { return other }
        do throws(SessionError) {
            var document = try withoutLists.mergingSettings(other.withoutLists, since: base.withoutLists)
            document.tracks = try tracks.merging(other.tracks, since: base.tracks, identifier: \.id) {
                old, one, other throws(SessionError) in
                try one.merging(other, since: old)
            }
            document.items = try items.merging(other.items, since: base.items)
            return try document.reread(since: other, file: file).sharing(self)
        } catch {
            // Errors name places in the whole.
            let whole = DocumentMerge.merge(base: base.json, theirs: json, mine: other.json) ?? other.json
            return try SessionDocument(whole, file: file).sharing(other).sharing(self)
        }
    }

    private func mergingSettings(_ other: SessionDocument, since base: SessionDocument) throws(SessionError)
        -> SessionDocument
    {
        if other == base { return self }
        if self == base { return other }
        let merged = DocumentMerge.merge(base: base.json, theirs: json, mine: other.json)
        return try SessionDocument(merged ?? other.json, file: "")
    }
}

extension TrackDocument {
    fileprivate func merging(_ other: TrackDocument, since base: TrackDocument?) throws(SessionError)
        -> TrackDocument
    {
        var track = try withoutClips.mergingValues(other.withoutClips, since: base?.withoutClips)
        track.clips = try clips.merging(other.clips, since: base?.clips ?? [], identifier: \.id) {
            old, one, other throws(SessionError) in
            try one.mergingValues(other, since: old)
        }
        return track
    }
}

extension KeyedDocument where Self: Equatable {
    /// The same as of sessions, of what has no lists with many elements.
    fileprivate func mergingValues(_ other: Self, since base: Self?) throws(SessionError) -> Self {
        if other == base { return self }
        if self == base { return other }
        let former = base.map { JSONValue.object($0.values) }
        let merged = DocumentMerge.merge(base: former, theirs: .object(values), mine: .object(other.values))
        return try Self(ObjectReader(merged ?? .object(other.values), file: "", path: ""))
    }
}

extension Array where Element: Equatable {
    fileprivate func merging(
        _ other: [Element], since base: [Element], identifier: (Element) -> String,
        _ merge: (Element?, Element, Element) throws(SessionError) -> Element
    ) throws(SessionError) -> [Element] {
        if other == base { return self }
        if self == base { return other }
        guard let lists = ListMerge(base: base, theirs: self, mine: other, identifier: identifier)
        else { return other }
        return try lists.merged { old, one, other throws(SessionError) in
            if other == old { return one }
            if one == old { return other }
            return try merge(old, one, other)
        }
    }
}

extension SharedList<PlaylistItemDocument> {
    fileprivate func merging(_ other: SharedList, since base: SharedList) throws(SessionError) -> SharedList {
        if other == base { return self }
        if self == base { return other }
        // What is the same in all three, at their beginnings and ends, is not looked at.
        let (ours, theirs) = (common(with: base), other.common(with: base))
        let (head, tail) = (Swift.min(ours.head, theirs.head), Swift.min(ours.tail, theirs.tail))
        func middle(_ list: SharedList) -> [PlaylistItemDocument] { Array(list[head..<list.count - tail]) }
        let merged = try middle(self).merging(middle(other), since: middle(base), identifier: \.id) {
            old, one, other throws(SessionError) in
            try one.mergingValues(other, since: old)
        }
        var list = other
        list.replace(head..<other.count - tail, with: merged)
        return list
    }
}
