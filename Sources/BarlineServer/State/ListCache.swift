import BarlineSession

/// A list in JSON of which only what has changed is made anew.
///
/// What stays shares its storage with the value before, so that a comparison of the two passes over it without looking
/// inside.
struct ListCache<Element: Equatable & Sendable> {
    private var elements = SharedList<Element>()
    private var values: [JSONValue] = []

    /// The list in JSON.
    ///
    /// - Parameters:
    ///   - new: its elements.
    ///   - make: makes an element's value; called with the former one, if there was one.
    /// - Returns: the value.
    /// - Complexity: that of ``SharedList/common(with:)``, and a copy of the values where something has changed.
    mutating func json(
        of new: SharedList<Element>, _ make: (Element, _ before: (element: Element, value: JSONValue)?) -> JSONValue
    ) -> JSONValue {
        let (head, tail) = elements.common(with: new)
        if head == new.count, head == elements.count { return .array(values) }
        if new.count == elements.count {
            for index in head..<new.count - tail where new[index] != elements[index] {
                values[index] = make(new[index], (elements[index], values[index]))
            }
        } else {
            values.replaceSubrange(
                head..<elements.count - tail, with: new[head..<new.count - tail].map { make($0, nil) })
        }
        elements = new
        return .array(values)
    }
}
