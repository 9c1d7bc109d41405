/// Two lists that were made of one, whose elements have identifiers.
struct ListMerge<Element> {
    private struct List {
        let order: [String]
        let elements: [String: Element]

        /// - Returns: `nil` where an element has no identifier, or two have the same.
        init?(_ list: [Element], identifier: (Element) -> String?) {
            var (order, elements): ([String], [String: Element]) = ([], [:])
            for element in list {
                guard let id = identifier(element), elements.updateValue(element, forKey: id) == nil else { return nil }
                order.append(id)
            }
            (self.order, self.elements) = (order, elements)
        }
    }

    private let base: List
    private let theirs: List
    private let mine: List

    /// Two lists that were made of `base`.
    ///
    /// - Returns: `nil` where an element has no identifier, or two of a list have the same.
    init?(base: [Element], theirs: [Element], mine: [Element], identifier: (Element) -> String?) {
        guard let base = List(base, identifier: identifier), let theirs = List(theirs, identifier: identifier),
            let mine = List(mine, identifier: identifier)
        else { return nil }
        (self.base, self.theirs, self.mine) = (base, theirs, mine)
    }

    /// What both have made of the list: what either has removed is gone, what either has added is there, and what one
    /// has moved is where that one has it; where both have, where the later one has it.
    ///
    /// - Parameter merge: what becomes of an element that both have: it gets it as it was in the former list, `nil`
    ///   where it is new in both, and as the two have it.
    /// - Returns: the list.
    /// - Throws: what `merge` throws.
    /// - Complexity: O(*n*).
    func merged<Failure: Error>(
        _ merge: (Element?, Element, Element) throws(Failure) -> Element?
    ) throws(Failure) -> [Element] {
        var list: [Element] = []
        for id in order {
            let former = base.elements[id]
            switch (theirs.elements[id], mine.elements[id]) {
            case (let one?, let other?):
                if let element = try merge(former, one, other) { list.append(element) }
            case (let one?, nil), (nil, let one?): if former == nil { list.append(one) }
            case (nil, nil): break
            }
        }
        return list
    }

    /// The identifiers of the elements that either has, in their order.
    private var order: [String] {
        // Who has moved elements says where they are; the other one's new elements come where they were added.
        let isMoved = mine.order.filter { base.elements[$0] != nil } != base.order.filter { mine.elements[$0] != nil }
        let (first, second) = isMoved ? (mine, theirs) : (theirs, mine)
        var added: [String?: [String]] = [:]
        var before: String?
        for id in second.order {
            if first.elements[id] != nil {
                before = id
            } else if base.elements[id] == nil {
                added[before, default: []].append(id)
            }
        }
        return first.order.reduce(into: added[nil] ?? []) { order, id in
            order.append(id)
            order += added[id] ?? []
        }
    }
}
