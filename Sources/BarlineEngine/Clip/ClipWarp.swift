import BarlineDSP

/// The owner of a clip's warp knots, for beats of unequal length.
struct ClipWarp: @unchecked Sendable {
    let map: WarpMap
    private let knots: UnsafePointer<WarpKnot>

    /// The largest deviation from equal beats, in frames, at which a marker is ignored.
    private static let tolerance = 1e-6

    /// Creates the warp map of `markers`, which lie within a region of `length` frames and `beats` quarter notes; `nil`
    /// if all beats are equal.
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
