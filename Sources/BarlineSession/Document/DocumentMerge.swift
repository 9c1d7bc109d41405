/// What two have made of one session, in one.
enum DocumentMerge {
    /// What becomes of `base` where one has made `theirs` of it and another, later, `mine`. Elements of lists are known
    /// by their identifiers; where both have changed the same value, the later one stands.
    ///
    /// - Complexity: O(*n*) in the values, times the elements that are new in one list where both have changed it.
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
            guard let old = IdentifiedList(former), let one = IdentifiedList(theirs), let other = IdentifiedList(mine)
            else { return .array(mine) }
            return .array(old.merging(theirs: one, mine: other))
        default: return mine
        }
    }
}

/// A list whose elements have identifiers: `id`, or the output that a send goes to.
private struct IdentifiedList {
    private let order: [String]
    private let elements: [String: JSONValue]

    /// - Returns: `nil` where an element has none, or two have the same.
    init?(_ list: [JSONValue]) {
        var (order, elements): ([String], [String: JSONValue]) = ([], [:])
        for element in list {
            guard case .object(let values) = element, case .string(let id)? = values["id"] ?? values["output"],
                elements.updateValue(element, forKey: id) == nil
            else { return nil }
            order.append(id)
        }
        (self.order, self.elements) = (order, elements)
    }

    func merging(theirs: IdentifiedList, mine: IdentifiedList) -> [JSONValue] {
        // Who has moved elements says where they are; the other one's new elements come where they were added.
        let isMoved = mine.order.filter { elements[$0] != nil } != order.filter { mine.elements[$0] != nil }
        let (first, second) = isMoved ? (mine, theirs) : (theirs, mine)
        var merged = first.order
        for (index, id) in second.order.enumerated() where elements[id] == nil && first.elements[id] == nil {
            let before = second.order[..<index].last { merged.contains($0) }
            let place = before.flatMap { merged.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            merged.insert(id, at: place)
        }
        return merged.compactMap { id in
            let (one, other) = (theirs.elements[id], mine.elements[id])
            // What either has removed is gone.
            if elements[id] != nil, one == nil || other == nil { return nil }
            return DocumentMerge.merge(base: elements[id], theirs: one, mine: other)
        }
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
    func merging(_ other: SessionDocument, since base: SessionDocument, file: String) throws(SessionError)
        -> SessionDocument
    {
        if other == base { return self }
        if self == base { return other }
        let merged = DocumentMerge.merge(base: base.json, theirs: json, mine: other.json)
        return try SessionDocument(merged ?? other.json, file: file).sharing(other).sharing(self)
    }
}
