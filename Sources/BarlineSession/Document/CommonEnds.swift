extension Array where Element: Equatable {
    /// How many elements this array and another one have in common at their beginnings, and of the others at their
    /// ends.
    ///
    /// - Complexity: O(*n*) comparisons; O(1) where the two share their storage.
    package func common(with other: [Element]) -> (head: Int, tail: Int) {
        let most = Swift.min(count, other.count)
        // Knows arrays that share their storage without a look inside.
        if count == other.count, self == other { return (count, 0) }
        var head = 0
        while head < most, self[head] == other[head] { head += 1 }
        var tail = 0
        while tail < most - head, self[count - 1 - tail] == other[other.count - 1 - tail] { tail += 1 }
        return (head, tail)
    }
}
