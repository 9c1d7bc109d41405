import BarlineDSP
import BarlineTime
import CKernels

/// The memory that a take is recorded into: its frames with a margin before and after them, and what its loop needs at
/// the seam. It belongs to a ``TakeMemory``.
struct TakeSamples: BitwiseCopyable, @unchecked Sendable {
    /// The memory's first frame.
    let left: UnsafeMutablePointer<Float>
    /// The same as ``left`` for an input of one channel.
    let right: UnsafeMutablePointer<Float>
    /// The number of frames of the memory before the take's first one.
    let framesBefore: Int
    /// The number of frames kept after its last one.
    let framesAfter: Int
    /// The number of frames that fit from the take's first one on.
    let capacity: Int
    /// Room for the seam of both channels, ``seamFrames`` each.
    let seam: UnsafeMutablePointer<Float>
    let seamFrames: Int
    /// Room for the frames around the wrap of both channels, ``wrapFrames`` each.
    let wrap: UnsafeMutablePointer<Float>
    /// The shortest loop that gets a seam, in frames.
    let shortestSeamed: Int

    var wrapFrames: Int { @_noLocks get { seamFrames + 2 * Int(DSP_LARGEST_SPAN) } }

    var isMono: Bool { @_noLocks get { left == right } }

    /// Copies `count` frames of an input into the take from its frame `index` on.
    @_noLocks func copy(
        _ capture: borrowing Capture, input: Int, from frame: FrameTime, to index: Int, count: Int
    ) {
        let place = framesBefore + index
        capture.read(input, from: frame, count: count, left: left + place, right: right + place)
    }

    /// The larger of `level` and the magnitudes of `count` frames.
    @_noLocks func peak(from index: Int, count: Int, above level: Float) -> Float {
        var level = level
        let place = framesBefore + index
        let peak = dsp_measure(left + place, count).peak
        if peak > level { level = peak }
        if isMono { return level }
        let other = dsp_measure(right + place, count).peak
        return other > level ? other : level
    }

    /// The magnitude of a frame.
    @_noLocks func level(at index: Int) -> Float {
        let (left, right) = (left[framesBefore + index].magnitude, right[framesBefore + index].magnitude)
        return left > right ? left : right
    }

    /// The first `length` frames as a loop, with a seam of `frames` frames.
    @_noLocks func region(length: Int, seam frames: Int) -> SourceRegion {
        var region = SourceRegion(
            left: left + framesBefore, right: right + framesBefore, length: length,
            framesBefore: framesBefore < Int(DSP_LARGEST_SPAN) / 2 ? framesBefore : Int(DSP_LARGEST_SPAN) / 2,
            framesAfter: framesAfter < Int(DSP_LARGEST_SPAN) / 2 ? framesAfter : Int(DSP_LARGEST_SPAN) / 2, loops: true,
            seamLeft: seam, seamRight: isMono ? seam : seam + seamFrames, seamLength: frames)
        region.wrap = LoopWrap(of: region, left: wrap, right: isMono ? wrap : wrap + wrapFrames)
        return region
    }

    /// The same once all frames are present: if the two ends don't match, the last frames are blended into those that
    /// lead up to the first.
    @_noLocks func wholeRegion(length: Int) -> SourceRegion {
        let (first, end) = (framesBefore, framesBefore + length)
        if length < shortestSeamed || endsMatch(first, end) { return region(length: length, seam: 0) }
        SeamFade.blend(left, first: first, end: end, frames: seamFrames, into: seam)
        if !isMono { SeamFade.blend(right, first: first, end: end, frames: seamFrames, into: seam + seamFrames) }
        return region(length: length, seam: seamFrames)
    }

    @_noLocks private func endsMatch(_ first: Int, _ end: Int) -> Bool {
        if !SeamFade.endsMatch(left, first: first, end: end) { return false }
        return isMono || SeamFade.endsMatch(right, first: first, end: end)
    }
}
