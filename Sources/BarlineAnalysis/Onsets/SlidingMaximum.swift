/// The greatest of the values that were added last.
struct SlidingMaximum {
    private let count: Int
    private var number = 0
    /// Values that none after them reaches, with their numbers.
    private var falling: [(number: Int, value: Double)] = []

    /// The greatest of as many values.
    init(over count: Int) { self.count = count }

    /// 0 while there is none.
    var value: Double { falling.first?.value ?? 0 }

    /// Adds a value, and forgets the one that is too old.
    mutating func add(_ value: Double) {
        while let last = falling.last, last.value <= value { falling.removeLast() }
        falling.append((number, value))
        if let first = falling.first, first.number + count <= number { falling.removeFirst() }
        number += 1
    }
}
