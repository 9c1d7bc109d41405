import CKernels
import CRealtime

/// A place in a source at which an attack begins, or from which a loop's turn is counted.
package struct StretchMark: BitwiseCopyable, Hashable, Sendable {
    /// Frames from the region's start.
    package let position: Int
    /// Whether the sound before it is kept apart from that after it.
    package let isCut: Bool
    /// Whether the source is put out from it on as it is, whatever sounded before: once in every turn of a loop, so that
    /// each sounds as the others.
    package let isFresh: Bool

    /// Creates a mark; see the properties for what the parameters mean.
    @_noLocks package init(position: Int, isCut: Bool, isFresh: Bool) {
        self.position = position
        self.isCut = isCut
        self.isFresh = isFresh
    }
}

/// The source of a time-stretching voice. The memory belongs to the caller, who keeps it for as long as the source is in use.
package struct StretchSource: BitwiseCopyable, @unchecked Sendable {
    /// The samples, at the pitch at which they are to be heard where ``pace`` is 1.
    package let region: SourceRegion
    /// Marks in the order of their positions.
    package let marks: UnsafePointer<StretchMark>
    package let markCount: Int
    /// The place among them of that from which the source is put out as it is; −1 where there is none.
    package let freshMark: Int
    /// Whether each attack is put out as it is, and what follows it for most of the way to the next one, as drums want it.
    package let isSliced: Bool
    /// The source frames to a frame at which its pitch is right: 1, but where the sample rate has changed since it was
    /// prepared.
    package let pace: Double
    /// The position of the region's first frame: more than 0 where the region is a window that moves along a stream.
    let origin: Int64
    /// Whether the region is such a window. What is not in it is silent.
    let isStreamed: Bool
    /// The ring that the region is, if it is one.
    let ring: StretchRing
    /// The number of the first mark that is there, and what leads from numbers to their places.
    let firstNumber: Int64
    let markMask: Int64

    /// Creates a source; see the properties for what the parameters mean.
    @_noLocks package init(
        region: SourceRegion, marks: UnsafePointer<StretchMark>, markCount: Int, freshMark: Int, isSliced: Bool,
        pace: Double
    ) {
        self.region = region
        self.marks = marks
        self.markCount = markCount
        self.freshMark = freshMark
        self.isSliced = isSliced
        self.pace = pace
        origin = 0
        isStreamed = false
        ring = StretchRing(insteadOf: region.left)
        firstNumber = 0
        markMask = .max
    }

    /// Creates a source of which the frames from `origin` on are in `window`, at the pitch at which they are to be heard.
    @_noLocks package init(
        window: SourceRegion, origin: Int64, marks: UnsafePointer<StretchMark>, markCount: Int
    ) {
        region = window
        self.marks = marks
        self.markCount = markCount
        freshMark = -1
        isSliced = false
        pace = 1
        self.origin = origin
        isStreamed = true
        ring = StretchRing(insteadOf: window.left)
        firstNumber = 0
        markMask = .max
    }

    /// Creates a source whose frames are in `ring`, at the pitch at which they are to be heard where `pace` is 1.
    ///
    /// - Parameters:
    ///   - ring: the frames.
    ///   - marks: the latest marks; the mark `n` is in the place `n & (markCapacity - 1)`.
    ///   - markCapacity: the places for marks, a power of two.
    ///   - markEnd: the number of the mark after the last one.
    ///   - pace: the source frames to a frame at which its pitch is right.
    @_noLocks package init(
        ring: StretchRing, marks: UnsafePointer<StretchMark>, markCapacity: Int, markEnd: Int, pace: Double
    ) {
        region = SourceRegion(left: ring.left, right: ring.right, length: ring.mask + 1)
        self.marks = marks
        markCount = markEnd
        freshMark = -1
        isSliced = false
        self.pace = pace
        origin = 0
        isStreamed = true
        self.ring = ring
        firstNumber = markEnd > markCapacity ? Int64(markEnd - markCapacity) : 0
        markMask = Int64(markCapacity - 1)
    }

    /// The number, counted through all turns, of the first mark after `position`. O(log n).
    @_noLocks func firstMark(after position: Double) -> Int64 {
        let length = Double(region.length)
        let turn = region.loops ? rt_floor(position / length) : 0
        let within = position - turn * length
        var low = Int(firstNumber)
        var high = markCount
        while low < high {
            let middle = (low + high) / 2
            if Double(marks[middle & Int(markMask)].position) > within { high = middle } else { low = middle + 1 }
        }
        return Int64(turn) * Int64(markCount) + Int64(low)
    }

    /// Whether there is a mark `number`.
    @_noLocks func hasMark(_ number: Int64) -> Bool {
        markCount > 0 && (region.loops || (number >= firstNumber && number < Int64(markCount)))
    }

    /// The mark `number`, and its position counted through all turns.
    @_noLocks func mark(_ number: Int64) -> (mark: StretchMark, position: Int64) {
        if isStreamed {
            let mark = marks[Int(number & markMask)]
            return (mark, Int64(mark.position))
        }
        let count = Int64(markCount)
        var turn = number / count
        var index = number % count
        if index < 0 {
            index += count
            turn -= 1
        }
        let mark = marks[Int(index)]
        return (mark, turn * Int64(region.length) + Int64(mark.position))
    }

    /// Whether the source is put out as it is from a mark on, whatever sounded before.
    @_noLocks func isPutOut(from mark: StretchMark) -> Bool { mark.isFresh || (isSliced && mark.isCut) }

    /// The position of the first mark from `number` on from which the source is put out as it is; only of a loop that has one.
    @_noLocks func freshPosition(from number: Int64) -> Int64 {
        let count = Int64(markCount)
        var turn = number / count
        if turn * count > number { turn -= 1 }
        if turn * count + Int64(freshMark) < number { turn += 1 }
        return turn * Int64(region.length) + Int64(marks[freshMark].position)
    }

    /// Marks of a stream that are looked ahead.
    private static var marksAhead: Int64 { @_noLocks get { 64 } }

    /// The position of the first mark from `number` on from which a stream is put out as it is; −1 where none is near.
    @_noLocks func freshPositionInStream(from number: Int64) -> Int64 {
        var index = number
        while index < Int64(markCount), index < number + StretchSource.marksAhead {
            let mark = marks[Int(index & markMask)]
            if mark.isFresh { return Int64(mark.position) }
            index += 1
        }
        return -1
    }

    /// Reads `count` frames from `position` on at the source's own pitch.
    @_noLocks func read(
        from position: Double, count: Int, _ reader: borrowing VarispeedReader, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) {
        if ring.mask > 0 {
            ring.read(from: position, count: count, pace: pace, reader, left: left, right: right)
        } else if pace == 1 {
            var piece = region.piece
            dsp_copy_frames(&piece, Int(rt_floor(position + 0.5)) - Int(origin), count, left, right)
        } else {
            reader.read(
                region, from: SourcePosition(position), step: SourcePosition(pace), filter: reader.filter(rate: pace),
                count: count, left: left, right: right)
        }
    }
}
