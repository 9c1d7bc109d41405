import CKernels
import CRealtime

/// A position in a source at which an attack begins, or a pass of a loop.
package struct StretchMark: BitwiseCopyable, Hashable, Sendable {
    /// Frames from the region's start.
    package let position: Int
    /// Whether the sound before it is kept separate from that after it.
    package let isCut: Bool
    /// Whether the source plays unchanged from here on, whatever sounded before: once in every pass of a loop, so that
    /// all passes sound alike.
    package let isRestart: Bool
    /// How far behind ``position`` the attack itself is, in frames: less than one, and what decides when it plays.
    package let fraction: Double
    /// The frames before it that belong to the attack: in a sound that was resampled, the filter's ringing.
    package let lead: Int

    /// Creates a mark; see the properties for what the parameters mean.
    @_noLocks package init(position: Int, isCut: Bool, isRestart: Bool, fraction: Double = 0, lead: Int = 0) {
        self.position = position
        self.isCut = isCut
        self.isRestart = isRestart
        self.fraction = fraction
        self.lead = lead
    }

    /// The frames before an attack that belong to it in a sound that was resampled, `scale` frames to a frame: of the
    /// interpolator's ringing what is above −80 dB.
    @_noLocks package static func lead(scale: Double) -> Int {
        scale == 1 ? 0 : Int(rt_ceil(24 * (scale < 1 ? 1 / scale : 1)))
    }
}

/// The source of a time-stretching voice. The memory belongs to the caller, who keeps it alive while the source is in
/// use.
package struct StretchSource: BitwiseCopyable, @unchecked Sendable {
    /// The samples, at the pitch at which they play where ``pace`` is 1.
    package let region: SourceRegion
    /// The marks, in ascending order of position.
    package let marks: UnsafePointer<StretchMark>
    package let markCount: Int
    /// The index of the mark from which the source plays unchanged; −1 if there is none.
    package let restartMark: Int
    /// The way in which it is stretched.
    package let style: StretchStyle
    /// The positions of attacks too weak to be marks, ascending: what rises there takes its phase from the source, and
    /// everything else continues.
    let weak: UnsafePointer<Int>
    let weakCount: Int
    /// The number of source frames per frame at which its pitch is right: 1, unless the sample rate has changed since
    /// it was prepared.
    package let pace: Double
    /// The position of the region's first frame: above 0 if the region is a window that moves along a stream.
    let origin: Int64
    /// Whether the region is such a window. Frames outside it are silent.
    let isStreamed: Bool
    /// The ring that backs the region, if any.
    let ring: StretchRing
    /// Whether grains read the end of the region as it is, without the seam: an attack begins the loop, and the lead-up
    /// to it in the seam, smeared over a grain, would be heard before it. The line from the attack on has the seam.
    let isTailBare: Bool
    /// The number of the first available mark, and the mask that maps numbers to places.
    let firstNumber: Int64
    let markMask: Int64

    /// Whether the source plays unchanged at each attack and for most of the way to the next one.
    package var isSliced: Bool { @_noLocks get { style.isSliced } }

    /// The frames before the attack that begins a loop which are part of it.
    private static var longestHead: Int { @_noLocks get { 32 } }

    /// The weak attacks of a source that has none.
    private static var noWeak: UnsafePointer<Int> {
        @_noLocks get { UnsafePointer(bitPattern: MemoryLayout<Int>.alignment).unsafelyUnwrapped }
    }

    /// Creates a source; see the properties for what the parameters mean.
    @_noLocks package init(
        region: SourceRegion, marks: UnsafePointer<StretchMark>, markCount: Int, restartMark: Int, style: StretchStyle,
        pace: Double, weak: UnsafePointer<Int>? = nil, weakCount: Int = 0
    ) {
        self.style = style
        self.weak = weak ?? StretchSource.noWeak
        self.weakCount = weakCount
        self.region = region
        self.marks = marks
        self.markCount = markCount
        self.restartMark = restartMark
        self.pace = pace
        origin = 0
        isStreamed = false
        isTailBare =
            region.loops && region.seamReach > 0 && restartMark >= 0 && marks[restartMark].isCut
            && marks[restartMark].position <= StretchSource.longestHead
        ring = StretchRing(insteadOf: region.left)
        firstNumber = 0
        markMask = .max
    }

    /// Creates a source whose frames from `origin` on are in `window`, at the pitch at which they play.
    @_noLocks package init(
        window: SourceRegion, origin: Int64, marks: UnsafePointer<StretchMark>, markCount: Int
    ) {
        region = window
        self.marks = marks
        self.markCount = markCount
        restartMark = -1
        style = StretchStyle()
        weak = StretchSource.noWeak
        weakCount = 0
        pace = 1
        self.origin = origin
        isStreamed = true
        isTailBare = false
        ring = StretchRing(insteadOf: window.left)
        firstNumber = 0
        markMask = .max
    }

    /// Creates a source whose frames are in `ring`, at the pitch at which they play where `pace` is 1.
    ///
    /// - Parameters:
    ///   - ring: the frames.
    ///   - marks: the latest marks; mark `n` is at index `n & (markCapacity - 1)`.
    ///   - markCapacity: the number of places for marks, a power of two.
    ///   - markEnd: one more than the number of the last mark.
    ///   - pace: the number of source frames per frame at which its pitch is right.
    @_noLocks package init(
        ring: StretchRing, marks: UnsafePointer<StretchMark>, markCapacity: Int, markEnd: Int, pace: Double
    ) {
        region = SourceRegion(left: ring.left, right: ring.right, length: ring.mask + 1)
        self.marks = marks
        markCount = markEnd
        restartMark = -1
        style = StretchStyle()
        weak = StretchSource.noWeak
        weakCount = 0
        self.pace = pace
        origin = 0
        isStreamed = true
        isTailBare = false
        self.ring = ring
        firstNumber = markEnd > markCapacity ? Int64(markEnd - markCapacity) : 0
        markMask = Int64(markCapacity - 1)
    }

    /// The number, counted through all passes of the loop, of the first mark after `position`. O(log n).
    @_noLocks func firstMark(after position: Double) -> Int64 {
        let length = Double(region.length)
        let cycle = region.loops ? rt_floor(position / length) : 0
        let within = position - cycle * length
        var low = Int(firstNumber)
        var high = markCount
        while low < high {
            let middle = (low + high) / 2
            if Double(marks[middle & Int(markMask)].position) > within { high = middle } else { low = middle + 1 }
        }
        return Int64(cycle) * Int64(markCount) + Int64(low)
    }

    /// Whether a weak attack lies after `low` and not after `high`, counted through all passes of the loop. O(log n).
    @_noLocks func hasWeak(after low: Double, through high: Double) -> Bool {
        weakCount > 0 && weakUp(to: high) > weakUp(to: low)
    }

    /// The number of weak attacks not after `position`.
    @_noLocks private func weakUp(to position: Double) -> Int64 {
        let length = Double(region.length)
        let cycle = region.loops ? rt_floor(position / length) : 0
        let within = position - cycle * length
        var low = 0
        var high = weakCount
        while low < high {
            let middle = (low + high) / 2
            if Double(weak[middle]) > within { high = middle } else { low = middle + 1 }
        }
        return Int64(cycle) * Int64(weakCount) + Int64(low)
    }

    /// Whether mark `number` exists.
    @_noLocks func hasMark(_ number: Int64) -> Bool {
        markCount > 0 && (region.loops || (number >= firstNumber && number < Int64(markCount)))
    }

    /// Mark `number`, and its position counted through all passes of the loop.
    @_noLocks func mark(_ number: Int64) -> (mark: StretchMark, position: Int64) {
        if isStreamed {
            let mark = marks[Int(number & markMask)]
            return (mark, Int64(mark.position))
        }
        let count = Int64(markCount)
        var cycle = number / count
        var index = number % count
        if index < 0 {
            index += count
            cycle -= 1
        }
        let mark = marks[Int(index)]
        return (mark, cycle * Int64(region.length) + Int64(mark.position))
    }

    /// Whether the source plays unchanged from `mark` on, whatever sounded before.
    @_noLocks func isPutOut(from mark: StretchMark) -> Bool { mark.isRestart || (isSliced && mark.isCut) }

    /// The position of the first mark from `number` on at which the source plays unchanged; only for a loop that has
    /// one.
    @_noLocks func restartPosition(from number: Int64) -> Int64 {
        let count = Int64(markCount)
        var cycle = number / count
        if cycle * count > number { cycle -= 1 }
        if cycle * count + Int64(restartMark) < number { cycle += 1 }
        return cycle * Int64(region.length) + Int64(marks[restartMark].position)
    }

    /// How many marks of a stream are searched ahead.
    private static var marksAhead: Int64 { @_noLocks get { 64 } }

    /// The position of the first mark from `number` on at which a stream plays unchanged, and whether an attack is there;
    /// −1 if none is near.
    @_noLocks func restartInStream(from number: Int64) -> (position: Int64, isCut: Bool) {
        var index = number
        while index < Int64(markCount), index < number + StretchSource.marksAhead {
            let mark = marks[Int(index & markMask)]
            if mark.isRestart { return (Int64(mark.position), mark.isCut) }
            index += 1
        }
        return (-1, false)
    }

    /// Reads `count` frames from `position` on at the source's own pitch; the region's end as it is, without the seam, if
    /// `isBare`.
    @_noLocks func read(
        from position: Double, count: Int, _ reader: borrowing VarispeedReader, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>, isBare: Bool = false
    ) {
        if ring.mask > 0 {
            ring.read(from: position, count: count, pace: pace, reader, left: left, right: right)
        } else if pace == 1 {
            var piece = isBare ? region.bare.piece : region.piece
            dsp_copy_frames(&piece, Int(rt_floor(position + 0.5)) - Int(origin), count, left, right)
        } else {
            reader.read(
                isBare ? region.bare : region, from: SourcePosition(position), step: SourcePosition(pace),
                filter: reader.filter(rate: pace),
                count: count, left: left, right: right)
        }
    }
}
