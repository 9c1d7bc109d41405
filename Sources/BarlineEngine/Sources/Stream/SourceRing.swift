import BarlineDSP
import CKernels

/// A ring of a source's own frames, which a feeder keeps filled ahead of an interpolator that reads them at any rate.
enum SourceRing {
    /// The capacity in frames: 1.4 s at 48 kHz.
    static var capacity: Int { @_noLocks get { 65_536 } }
    /// The number of frames that a feeder writes at a time.
    static var pieceFrames: Int64 { @_noLocks get { 8_192 } }
    /// The longest contiguous span, in frames.
    static let longestSpan = 4_096
    /// The number of frames read at a time: together with the interpolator's neighbours they are contiguous.
    static var readFrames: Double { @_noLocks get { 3_000 } }
    /// The number of frames that must be present on either side of a position that is read.
    static var reach: Int64 { @_noLocks get { 256 } }

    /// Creates an empty ring with the capacity that `reach` requires.
    static func make(_ reach: SourceReach) -> StreamRing {
        StreamRing(capacity: reach.capacity, overlap: longestSpan)
    }
}

extension StreamRing.Reader {
    /// The number of source frames from `frame` on that can be read at `rate`, with the required neighbours; 0 if the
    /// ring has moved on, and below 0 if it is behind.
    @_noLocks func readyFrames(from frame: Int64, rate: Double, _ reach: SourceReach) -> Int64 {
        // After a step back of the device's clock the ring has moved on: wait until the position reaches it again.
        if frame - reach.behind < firstReadable { return 0 }
        return written - frame - reach.framesAhead(rate: rate) - 2
    }

    /// The `count` frames from `frame` on as they lie in the ring, if they are contiguous, and the ring holds them and
    /// what ``read(from:rate:count:with:into:)`` needs around them.
    @_noLocks func frames(from frame: Int64, _ count: Int) -> SourceRegion? {
        if Double(count) > SourceRing.readFrames { return nil }
        let first = frame - SourceRing.reach
        if !holds(first, frame + Int64(count) + SourceRing.reach) { return nil }
        return region(from: frame, length: count)
    }

    /// Reads `count` frames from `position` on, `rate` source frames apart. Missing frames are silent.
    @_noLocks func read(
        from position: SourcePosition, rate: Double, count: Int, with reader: borrowing VarispeedReader,
        into target: StereoBuffer
    ) {
        let step = SourcePosition(rate)
        let filter = reader.steadyFilter(rate: rate)
        var position = position
        var done = 0
        while done < count {
            var piece = Int(SourceRing.readFrames / rate)
            if piece < 1 { piece = 1 }
            if piece > count - done { piece = count - done }
            let ahead = written - SourceRing.reach - 1 - position.whole
            // The last frames before an underrun are still played: a fade may need them.
            let ready = Int(Double(ahead) / rate)
            if ready > 0, ready < piece { piece = ready }
            let first = position.whole - SourceRing.reach
            let end = position.advanced(by: step, times: Int64(piece) - 1).whole + SourceRing.reach + 1
            if holds(first, end) {
                let origin = SourcePosition(rawValue: position.rawValue &- Int128(first) << 64)
                reader.read(
                    region(from: first, length: Int(end - first)), from: origin, step: step, filter: filter,
                    count: piece, left: target.left + done, right: target.right + done)
            } else {
                let missing = StereoBuffer(left: target.left + done, right: target.right + done)
                missing.clear(piece)
            }
            position = position.advanced(by: step, times: Int64(piece))
            done += piece
        }
    }

    /// The frame at `position`, read at `rate`; silent if it is missing.
    @_noLocks func frame(
        at position: SourcePosition, rate: Double, with reader: borrowing VarispeedReader
    ) -> StereoFrame {
        let first = position.whole - SourceRing.reach
        if !holds(first, position.whole + SourceRing.reach + 1) { return StereoFrame(left: 0, right: 0) }
        let origin = SourcePosition(rawValue: position.rawValue &- Int128(first) << 64)
        return reader.frame(
            of: region(from: first, length: Int(2 * SourceRing.reach) + 1), at: origin,
            filter: reader.filter(rate: rate))
    }
}
