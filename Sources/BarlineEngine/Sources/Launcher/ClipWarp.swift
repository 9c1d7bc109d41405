import BarlineDSP

/// Owns the knots of a clip whose beats are not equally long.
struct ClipWarp: @unchecked Sendable {
    let map: WarpMap
    private let knots: UnsafePointer<WarpKnot>

    /// The furthest that a marker may be off its place between equally long beats, in frames, without being one.
    private static let tolerance = 1e-6

    /// Makes the map of `markers`, which lie within a region of `length` frames and `beats` quarter notes; `nil` where it would be that
    /// of equally long beats.
    init?(_ markers: [WarpKnot], length: Int, beats: Double, loops: Bool) {
        let length = Double(length)
        if markers.allSatisfy({ abs($0.position - $0.beat / beats * length) < ClipWarp.tolerance }) { return nil }
        let list =
            [WarpKnot(position: 0, beat: 0)] + markers + [WarpKnot(position: length, beat: beats)]
        let storage = UnsafeMutablePointer<WarpKnot>.allocate(capacity: list.count)
        storage.initialize(from: list, count: list.count)
        knots = UnsafePointer(storage)
        map = WarpMap(knots: knots, count: list.count, loops: loops)
    }

    func deallocate() { knots.deallocate() }
}
