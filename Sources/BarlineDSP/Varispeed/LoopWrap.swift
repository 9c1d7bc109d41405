import CKernels

/// The frames around the point where a loop wraps, seam included, contiguous in memory.
///
/// The interpolator needs neighbours on both sides of the wrap. Collecting them one by one costs several times as much
/// as summing over them, and a callback in which many loops wrap at once has no time for that.
@usableFromInline package struct LoopWrap: BitwiseCopyable, @unchecked Sendable {
    /// The left channel, from ``framesBefore`` frames before the loop's end.
    @usableFromInline package let left: UnsafePointer<Float>
    /// The right channel; the same as ``left`` if the source is mono.
    @usableFromInline package let right: UnsafePointer<Float>
    /// The number of frames before the loop's end at which the memory begins.
    @usableFromInline package let framesBefore: Int
    /// The midpoints half a frame after each of them; `nil` if the region has none.
    @usableFromInline package let middleLeft: UnsafePointer<Float>?
    /// The midpoints of the right channel.
    @usableFromInline package let middleRight: UnsafePointer<Float>?

    /// Collects the frames around the wrap of `region`. The caller must ``deallocate()`` the memory.
    package init(of region: SourceRegion) {
        // No span of frames that begins before this memory reaches the seam, and none that begins in it reaches its
        // end.
        framesBefore = region.seamLength + VarispeedKernel.largestSpan
        let count = framesBefore + VarispeedKernel.largestSpan
        let isMono = region.left == region.right
        let hasMidpoints = region.midpoints != nil
        let storage = UnsafeMutablePointer<Float>.allocate(
            capacity: (isMono ? 1 : 2) * (hasMidpoints ? 2 : 1) * count)
        let right = isMono ? storage : storage + count
        LoopWrap.collect(region, framesBefore: framesBefore, count: count, left: storage, right: right)
        left = UnsafePointer(storage)
        self.right = UnsafePointer(right)
        guard hasMidpoints else {
            middleLeft = nil
            middleRight = nil
            return
        }
        let middle = storage + (isMono ? 1 : 2) * count
        Midpoints.find(within: left, count, into: middle)
        if !isMono { Midpoints.find(within: self.right, count, into: middle + count) }
        middleLeft = UnsafePointer(middle)
        middleRight = UnsafePointer(isMono ? middle : middle + count)
    }

    /// Collects the frames around the wrap of `region`, which has no midpoints, in memory of the caller's, with room
    /// for its seam and twice ``VarispeedKernel/largestSpan`` frames.
    @_noLocks @inlinable package init(
        of region: SourceRegion, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        framesBefore = region.seamLength + Int(DSP_LARGEST_SPAN)
        LoopWrap.collect(
            region, framesBefore: framesBefore, count: framesBefore + Int(DSP_LARGEST_SPAN), left: left, right: right)
        self.left = UnsafePointer(left)
        self.right = UnsafePointer(right)
        middleLeft = nil
        middleRight = nil
    }

    @_noLocks @inlinable static func collect(
        _ region: SourceRegion, framesBefore: Int, count: Int, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) {
        for index in 0..<count {
            let frame = region.frame(at: region.length - framesBefore + index)
            left[index] = frame.left
            right[index] = frame.right
        }
    }

    /// Frees the frames.
    package func deallocate() { left.deallocate() }
}
