import CRealtime

/// A position in a region and the beat, counted from the region's first frame, at which it plays.
package struct WarpKnot: BitwiseCopyable, Hashable, Sendable {
    /// Frames from the region's start.
    package let position: Double
    /// Quarter notes from the region's start.
    package let beat: Double

    /// Creates a knot; see the properties for what the parameters mean.
    @_noLocks package init(position: Double, beat: Double) {
        self.position = position
        self.beat = beat
    }
}

/// A warp map of a clip, from beats to positions in its region: piecewise linear between knots.
///
/// The first knot is the region's start, the last one its end. In a loop, pass `k` begins at `k` lengths; a one-shot is
/// extrapolated beyond its ends. The memory belongs to the caller, who keeps it alive while the map is in use.
package struct WarpMap: BitwiseCopyable, @unchecked Sendable {
    private let knots: UnsafePointer<WarpKnot>
    private let count: Int
    private let loops: Bool

    /// Creates a map of `count` knots, at least two, which ascend in both position and beat.
    @_noLocks package init(knots: UnsafePointer<WarpKnot>, count: Int, loops: Bool) {
        self.knots = knots
        self.count = count
        self.loops = loops
    }

    /// The empty map: all beats are equally long.
    package static var none: WarpMap {
        @_noLocks get {
            WarpMap(
                knots: UnsafePointer(bitPattern: MemoryLayout<WarpKnot>.alignment).unsafelyUnwrapped, count: 0,
                loops: false)
        }
    }

    /// Whether the map is empty.
    package var isNone: Bool { @_noLocks get { count == 0 } }

    /// The position at `beat`. O(log n).
    @_noLocks package func position(atBeat beat: Double) -> Double {
        let cycle = cycle(of: beat, last.beat)
        let within = beat - cycle * last.beat
        let index = piece { knots[$0].beat > within }
        return cycle * last.position + knots[index].position + (within - knots[index].beat) * slope(ofPiece: index)
    }

    /// The beat at `position`. O(log n).
    @_noLocks package func beat(atPosition position: Double) -> Double {
        let cycle = cycle(of: position, last.position)
        let within = position - cycle * last.position
        let index = piece { knots[$0].position > within }
        return cycle * last.beat + knots[index].beat + (within - knots[index].position) / slope(ofPiece: index)
    }

    /// The number of frames per quarter note at `beat`; at a knot, that after it. O(log n).
    @_noLocks package func slope(atBeat beat: Double) -> Double {
        let within = beat - cycle(of: beat, last.beat) * last.beat
        return slope(ofPiece: piece { knots[$0].beat > within })
    }

    /// The beat of the first knot after `beat` at which the length of a beat changes, or infinity. O(log n).
    @_noLocks package func bend(afterBeat beat: Double) -> Double {
        let cycle = cycle(of: beat, last.beat)
        let within = beat - cycle * last.beat
        let index = piece { knots[$0].beat > within }
        if !loops, index + 2 >= count { return .infinity }
        return cycle * last.beat + knots[index + 1].beat
    }

    private var last: WarpKnot { @_noLocks get { knots[count - 1] } }

    @_noLocks private func cycle(of value: Double, _ length: Double) -> Double {
        loops ? rt_floor(value / length) : 0
    }

    @_noLocks private func slope(ofPiece index: Int) -> Double {
        (knots[index + 1].position - knots[index].position) / (knots[index + 1].beat - knots[index].beat)
    }

    /// The last segment whose first knot is not after the one looked for.
    @_noLocks @inline(__always) private func piece(_ isAfter: (Int) -> Bool) -> Int {
        var low = 1
        var high = count - 1
        while low < high {
            let middle = (low + high) / 2
            if isAfter(middle) { high = middle } else { low = middle + 1 }
        }
        return low - 1
    }
}
