import BarlineDSP
import CKernels

/// A ring of a source's own frames, which are read at any rate: by the interpolator, ahead of which a feeder keeps it filled.
enum SourceRing {
    /// Frames that fit: 1.4 s at 48 kHz.
    static var capacity: Int { @_noLocks get { 65_536 } }
    /// Frames that a feeder writes at a time.
    static var pieceFrames: Int64 { @_noLocks get { 8_192 } }
    /// The longest span that is in one piece.
    static let longestSpan = 4_096
    /// Frames that are read at a time: with what the interpolator needs beside them they are in one piece.
    static var readFrames: Double { @_noLocks get { 3_000 } }
    /// Frames that must be there on either side of a position that is read.
    static var reach: Int64 { @_noLocks get { 256 } }

    /// A ring with room for what `reach` says, empty.
    static func make(_ reach: SourceReach) -> StreamRing {
        StreamRing(capacity: reach.capacity, overlap: longestSpan)
    }
}

extension StreamRing.Reader {
    /// How many source frames there are from `frame` on that are read at `rate`, with what is needed beside them; 0 where the
    /// ring has moved on, and below 0 where it is behind.
    @_noLocks func readyFrames(from frame: Int64, rate: Double, _ reach: SourceReach) -> Int64 {
        // After a step back of the device's clock the ring has moved on: it is waited for.
        if frame - reach.behind < firstReadable { return 0 }
        return written - frame - reach.framesAhead(rate: rate) - 2
    }

    /// Reads `count` frames from `position` on, `rate` source frames each. What is not there is silent.
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
            // The last frames before a ring runs dry are still heard: a fade may need them.
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

    /// The frame at `position`, where source frames go by at `rate`; silent where that is not there.
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
