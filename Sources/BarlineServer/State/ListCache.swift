import BarlineSession

/// A list in JSON of which only what has changed is made anew.
///
/// What stays shares its storage with the value before, so that a comparison of the two passes over it without looking inside.
struct ListCache<Element: Equatable> {
    private var elements: [Element] = []
    private var values: [JSONValue] = []

    /// The list in JSON.
    ///
    /// - Parameters:
    ///   - new: its elements.
    ///   - make: makes an element's value, and is given what stood in its place, where there was something.
    /// - Returns: the value.
    /// - Complexity: O(*n*) comparisons of elements, which are short where their storage is the same; O(1) where the whole
    ///   list is.
    mutating func json(
        of new: [Element], _ make: (Element, _ before: (element: Element, value: JSONValue)?) -> JSONValue
    ) -> JSONValue {
        if new == elements { return .array(values) }
        if new.count == elements.count {
            for index in new.indices where new[index] != elements[index] {
                values[index] = make(new[index], (elements[index], values[index]))
            }
        } else {
            let common = min(new.count, elements.count)
            let head = zip(elements, new).prefix { $0 == $1 }.count
            let tail = zip(elements.reversed(), new.reversed()).prefix(common - head).prefix { $0 == $1 }.count
            values.replaceSubrange(
                head..<elements.count - tail, with: new[head..<new.count - tail].map { make($0, nil) })
        }
        elements = new
        return .array(values)
    }
}
