import BarlineDSP

/// Frames of a stream that are kept while they are needed.
struct FrameWindow {
    /// The number of the first frame that is there.
    private(set) var first: Int64 = 0
    private(set) var left: [Float] = []
    private(set) var right: [Float] = []

    /// The number of the frame after the last one that is there.
    var end: Int64 { first + Int64(left.count) }

    /// Whether both channels are as long, as regions have to be.
    func checkInvariants() -> Bool { left.count == right.count }

    /// Restarts, empty, at `frame`.
    mutating func restart(at frame: Int64) {
        first = frame
        left.removeAll(keepingCapacity: true)
        right.removeAll(keepingCapacity: true)
    }

    /// Puts up to `count` frames at the end; `body` writes them, and says how many there are.
    mutating func append(
        _ count: Int, _ body: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) throws -> Int
    ) rethrows -> Int {
        let old = left.count
        left += repeatElement(0, count: count)
        right += repeatElement(0, count: count)
        var written = 0
        defer {
            left.removeLast(count - written)
            right.removeLast(count - written)
            assert(checkInvariants(), "channels are as long")
        }
        written = try left.withUnsafeMutableBufferPointer { left in
            try right.withUnsafeMutableBufferPointer { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
                return try body(left + old, right + old)
            }
        }
        return written
    }

    /// Puts one frame at the end.
    mutating func append(_ frame: StereoFrame) {
        left.append(frame.left)
        right.append(frame.right)
    }

    /// A frame; silence where it is not there.
    func frame(_ frame: Int64) -> StereoFrame {
        guard frame >= first, frame < end else { return StereoFrame(left: 0, right: 0) }
        let index = Int(frame - first)
        return StereoFrame(left: left[index], right: right[index])
    }

    /// Gives up the frames before `frame`, not each time that it is asked for.
    mutating func drop(before frame: Int64) {
        let count = Int(min(frame - first, Int64(left.count)))
        if count < 1 << 15 { return }
        left.removeFirst(count)
        right.removeFirst(count)
        first += Int64(count)
    }

    /// Calls `body` with what is there as a region, and the number of its first frame; with nothing while it is empty.
    func withRegion(_ body: (SourceRegion, Int64) -> Void) {
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                guard let start = left.baseAddress, let startRight = right.baseAddress, !left.isEmpty else { return }
                body(SourceRegion(left: start, right: startRight, length: left.count), first)
            }
        }
    }
}
