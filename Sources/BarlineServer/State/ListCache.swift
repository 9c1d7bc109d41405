import BarlineSession

/// A list of the state, of which only what has changed is made again.
struct ListCache<Element: Equatable & Sendable> {
    private var elements = SharedList<Element>()
    private var values = SharedList<StateValue>()

    /// The list.
    ///
    /// - Parameters:
    ///   - new: its elements.
    ///   - make: makes an element's value; called with the former one, if there was one.
    /// - Returns: the value.
    /// - Complexity: that of ``SharedList/common(with:)`` and of what has changed.
    mutating func value(
        of new: SharedList<Element>, _ make: (Element, _ before: (element: Element, value: StateValue)?) -> StateValue
    ) -> StateValue {
        let (head, tail) = elements.common(with: new)
        if head == new.count, head == elements.count { return .list(values) }
        if new.count == elements.count {
            for index in head..<new.count - tail where new[index] != elements[index] {
                let value = make(new[index], (elements[index], values[index]))
                values.replace(index..<index + 1, with: CollectionOfOne(value))
            }
        } else {
            values.replace(head..<elements.count - tail, with: new[head..<new.count - tail].map { make($0, nil) })
        }
        elements = new
        return .list(values)
    }
}
