/// A list of which copies share what is the same.
///
/// It is kept in pieces of some hundred elements. An edit copies the pieces that it touches, and the table of
/// pieces: a list of 100,000 elements is copied, edited and compared with the one that it was in the time that some
/// hundred take.
package struct SharedList<Element: Equatable & Sendable>: Sendable {
    private final class Piece: Sendable {
        let elements: [Element]

        init(_ elements: some Sequence<Element>) { self.elements = Array(elements) }
    }

    /// None of them is empty.
    private var pieces: [Piece] = []
    /// The place of each piece's first element.
    private var starts: [Int] = []
    /// How many elements there are.
    package private(set) var count = 0

    /// How many elements a piece has that is made; one that is joined with another one may have half as many more.
    private static var pieceSize: Int { 256 }
    /// A piece that an edit leaves with fewer is joined with the one after it.
    private static var leastSize: Int { 64 }

    /// An empty list.
    package init() {}

    /// A list of elements.
    ///
    /// - Complexity: O(*n*).
    package init(_ elements: some Sequence<Element>) {
        pieces = SharedList.pieces(of: Array(elements))
        index(from: 0)
    }

    private static func pieces(of elements: [Element]) -> [Piece] {
        stride(from: 0, to: elements.count, by: pieceSize).map { start in
            Piece(elements[start..<Swift.min(start + pieceSize, elements.count)])
        }
    }

    /// Recounts the elements from a piece on.
    private mutating func index(from first: Int) {
        starts.removeSubrange(Swift.min(first, starts.count)...)
        count = first == 0 ? 0 : starts[first - 1] + pieces[first - 1].elements.count
        for piece in pieces[first...] {
            starts.append(count)
            count += piece.elements.count
        }
    }

    /// The piece that has the element at `place`.
    private func piece(at place: Int) -> Int {
        var (low, high) = (0, pieces.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= place { low = middle } else { high = middle }
        }
        return low
    }

    /// Whether no piece is empty, and each begins where the one before it ends. O(*n*/256).
    func checkInvariants() -> Bool {
        var place = 0
        for (piece, start) in zip(pieces, starts) {
            if start != place || piece.elements.isEmpty { return false }
            place += piece.elements.count
        }
        return pieces.count == starts.count && place == count
    }

    // MARK: Editing

    /// Puts other elements in the place of a range of them.
    ///
    /// - Complexity: O(*m* + *n*/256) with *m* elements that go or come.
    package mutating func replace(_ range: Range<Int>, with new: some Collection<Element>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range lies in the list")
        if pieces.isEmpty {
            self = SharedList(new)
            return
        }
        let first = piece(at: range.lowerBound)
        var last = piece(at: Swift.max(range.lowerBound, range.upperBound - 1))
        var elements = Array(pieces[first].elements[..<(range.lowerBound - starts[first])])
        elements += new
        elements += pieces[last].elements[(range.upperBound - starts[last])...]
        if elements.count < SharedList.leastSize, last + 1 < pieces.count {
            last += 1
            elements += pieces[last].elements
        }
        let isOne = elements.count <= SharedList.pieceSize * 3 / 2
        let made = isOne ? [Piece(elements)] : SharedList.pieces(of: elements)
        pieces.replaceSubrange(first...last, with: elements.isEmpty ? [] : made)
        index(from: first)
        assert(checkInvariants(), "the table of pieces agrees with them")
    }

    // MARK: Comparing

    /// How many elements this list and another one have in common at their beginnings, and of the others at their ends.
    ///
    /// - Complexity: O(*m* + *n*/256) where *m* elements are compared: those of pieces that are not shared, up to the
    ///   first that differs.
    package func common(with other: SharedList) -> (head: Int, tail: Int) {
        let head = head(with: other)
        return (head, tail(with: other, atMost: Swift.min(count, other.count) - head))
    }

    private func head(with other: SharedList) -> Int {
        var (place, mine, others) = (0, 0, 0)
        while mine < pieces.count, others < other.pieces.count {
            let (left, right) = (pieces[mine], other.pieces[others])
            let ends = (starts[mine] + left.elements.count, other.starts[others] + right.elements.count)
            if left === right, starts[mine] == other.starts[others] {
                place = ends.0
            } else {
                for place in place..<Swift.min(ends.0, ends.1)
                where left.elements[place - starts[mine]] != right.elements[place - other.starts[others]] {
                    return place
                }
                place = Swift.min(ends.0, ends.1)
            }
            if place == ends.0 { mine += 1 }
            if place == ends.1 { others += 1 }
        }
        return place
    }

    private func tail(with other: SharedList, atMost limit: Int) -> Int {
        var (tail, mine, others) = (0, pieces.count - 1, other.pieces.count - 1)
        while tail < limit, mine >= 0, others >= 0 {
            let (left, right) = (pieces[mine], other.pieces[others])
            // What is left of each before those that are in the tail already.
            let (ours, theirs) = (count - tail - starts[mine], other.count - tail - other.starts[others])
            let length = Swift.min(ours, theirs)
            if left !== right || ours != theirs {
                for offset in 1...length where left.elements[ours - offset] != right.elements[theirs - offset] {
                    return Swift.min(tail + offset - 1, limit)
                }
            }
            tail += length
            if length == ours { mine -= 1 }
            if length == theirs { others -= 1 }
        }
        return Swift.min(tail, limit)
    }

    /// An equal list, whose pieces are another one's where they are the same.
    ///
    /// - Complexity: that of ``common(with:)``.
    package func sharing(_ other: SharedList) -> SharedList {
        let (head, tail) = common(with: other)
        if head == count, head == other.count { return other }
        var shared = other
        shared.replace(head..<other.count - tail, with: self[head..<count - tail])
        return shared
    }
}

extension SharedList: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    /// - Complexity: O(log *n*).
    package subscript(place: Int) -> Element {
        let piece = piece(at: place)
        return pieces[piece].elements[place - starts[piece]]
    }

    /// Goes through a list in the time that as long an array takes.
    package struct Iterator: IteratorProtocol {
        private let pieces: [Piece]
        private var (piece, offset) = (0, 0)

        fileprivate init(_ list: SharedList) { pieces = list.pieces }

        package mutating func next() -> Element? {
            guard piece < pieces.count else { return nil }
            defer {
                offset += 1
                if offset == pieces[piece].elements.count { (piece, offset) = (piece + 1, 0) }
            }
            return pieces[piece].elements[offset]
        }
    }

    package func makeIterator() -> Iterator { Iterator(self) }
}

extension SharedList: Equatable {
    package static func == (left: SharedList, right: SharedList) -> Bool {
        left.count == right.count && left.head(with: right) == left.count
    }
}

extension SharedList: Hashable where Element: Hashable {
    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { hasher.combine(element) }
    }
}
