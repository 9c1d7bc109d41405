import CRealtime

/// A place in a region and the beat, counted from the region's first frame, at which it is heard.
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

/// A warp map of a clip, from beats to positions in its region: straight lines from knot to knot.
///
/// The first knot is the region's start, the last one its end. In a loop, turn `k` begins at `k` lengths; what plays once goes on
/// beyond its ends as it is inside them. The memory belongs to somebody else, who keeps it for as long as the map is in use.
package struct WarpMap: BitwiseCopyable, @unchecked Sendable {
    private let knots: UnsafePointer<WarpKnot>
    private let count: Int
    private let loops: Bool

    /// The map of `count` knots, two at least, which rise in both.
    @_noLocks package init(knots: UnsafePointer<WarpKnot>, count: Int, loops: Bool) {
        self.knots = knots
        self.count = count
        self.loops = loops
    }

    /// No map: every beat is as long as any other.
    package static var none: WarpMap {
        @_noLocks get {
            WarpMap(
                knots: UnsafePointer(bitPattern: MemoryLayout<WarpKnot>.alignment).unsafelyUnwrapped, count: 0,
                loops: false)
        }
    }

    /// Whether it says nothing.
    package var isNone: Bool { @_noLocks get { count == 0 } }

    /// The position at `beat`. O(log n).
    @_noLocks package func position(atBeat beat: Double) -> Double {
        let turn = turn(of: beat, last.beat)
        let within = beat - turn * last.beat
        let index = piece { knots[$0].beat > within }
        return turn * last.position + knots[index].position + (within - knots[index].beat) * slope(ofPiece: index)
    }

    /// The beat at `position`. O(log n).
    @_noLocks package func beat(atPosition position: Double) -> Double {
        let turn = turn(of: position, last.position)
        let within = position - turn * last.position
        let index = piece { knots[$0].position > within }
        return turn * last.beat + knots[index].beat + (within - knots[index].position) / slope(ofPiece: index)
    }

    /// The frames a quarter note at `beat`, and where a knot is, after it. O(log n).
    @_noLocks package func slope(atBeat beat: Double) -> Double {
        let within = beat - turn(of: beat, last.beat) * last.beat
        return slope(ofPiece: piece { knots[$0].beat > within })
    }

    /// The beat of the first knot after `beat` from which on beats have another length, or infinity. O(log n).
    @_noLocks package func bend(afterBeat beat: Double) -> Double {
        let turn = turn(of: beat, last.beat)
        let within = beat - turn * last.beat
        let index = piece { knots[$0].beat > within }
        if !loops, index + 2 >= count { return .infinity }
        return turn * last.beat + knots[index + 1].beat
    }

    private var last: WarpKnot { @_noLocks get { knots[count - 1] } }

    @_noLocks private func turn(of value: Double, _ length: Double) -> Double {
        loops ? rt_floor(value / length) : 0
    }

    @_noLocks private func slope(ofPiece index: Int) -> Double {
        (knots[index + 1].position - knots[index].position) / (knots[index + 1].beat - knots[index].beat)
    }

    /// The last piece but those whose first knot is after what is looked for.
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
