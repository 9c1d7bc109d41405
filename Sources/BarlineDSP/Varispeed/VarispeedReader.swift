/// Reads a region at any position, band-limited.
///
/// The reader has no state but a scratch buffer: the same position yields the same sample, whatever was read before.
public struct VarispeedReader: ~Copyable, @unchecked Sendable {
    @usableFromInline let scratchLeft: UnsafeMutablePointer<Float>
    @usableFromInline let scratchRight: UnsafeMutablePointer<Float>
    @usableFromInline let kernel: VarispeedKernel

    /// Creates a reader for one thread.
    public init(kernel: VarispeedKernel = .shared) {
        self.kernel = kernel
        scratchLeft = .allocate(capacity: VarispeedKernel.largestSpan)
        scratchRight = .allocate(capacity: VarispeedKernel.largestSpan)
    }

    deinit {
        scratchLeft.deallocate()
        scratchRight.deallocate()
    }

    /// The filter for `rate` source frames an output frame.
    @_noLocks @inlinable public borrowing func filter(rate: Double) -> VarispeedFilter { kernel.filter(rate: rate) }

    /// The sample of `region` at `position` source frames from its start.
    @_noLocks @inlinable public borrowing func frame(
        of region: SourceRegion, at position: SourcePosition, filter: VarispeedFilter
    ) -> StereoFrame {
        var whole = Int(position.whole)
        if region.loops, whole < 0 || whole >= region.length {
            whole %= region.length
            if whole < 0 { whole += region.length }
        }
        let fraction = position.fraction
        let lower = convolve(region, whole, fraction, filter.lower)
        if filter.blend == 0 { return lower }
        let upper = convolve(region, whole, fraction, filter.upper)
        return StereoFrame(
            left: lower.left + filter.blend * (upper.left - lower.left),
            right: lower.right + filter.blend * (upper.right - lower.right))
    }

    @_noLocks @inlinable @inline(__always)
    borrowing func convolve(
        _ region: SourceRegion, _ whole: Int, _ fraction: UInt64, _ table: FilterTable
    ) -> StereoFrame {
        let first = whole - (table.taps / 2 - 1)
        let isMono = region.left == region.right
        if region.holds(first: first, count: table.taps) {
            if isMono {
                let sample = table.mono(region.left + first, fraction: fraction)
                return StereoFrame(left: sample, right: sample)
            }
            return table.stereo(region.left + first, region.right + first, fraction: fraction)
        }
        if let wrap = region.wrap {
            let offset = wrap.offset(ofFrame: first, length: region.length)
            if isMono {
                let sample = table.mono(wrap.left + offset, fraction: fraction)
                return StereoFrame(left: sample, right: sample)
            }
            return table.stereo(wrap.left + offset, wrap.right + offset, fraction: fraction)
        }
        for tap in 0..<table.taps {
            let frame = region.frame(at: first + tap)
            scratchLeft[tap] = frame.left
            scratchRight[tap] = frame.right
        }
        return table.stereo(scratchLeft, scratchRight, fraction: fraction)
    }

    /// Reads `count` frames from `position` on, each `step` further than the one before.
    ///
    /// At a step of exactly 1 and a whole position the source frames are copied bit for bit.
    @_noLocks @inlinable public borrowing func read(
        _ region: SourceRegion, from position: SourcePosition, step: SourcePosition, filter: VarispeedFilter,
        count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        if step.whole == 1, step.fraction == 0, position.fraction == 0 {
            copy(region, from: Int(position.whole), count: count, left: left, right: right)
            return
        }
        var current = position
        for index in 0..<count {
            let frame = frame(of: region, at: current, filter: filter)
            left[index] = frame.left
            right[index] = frame.right
            current = SourcePosition(rawValue: current.rawValue &+ step.rawValue)
        }
    }

    @_noLocks @inlinable
    borrowing func copy(
        _ region: SourceRegion, from first: Int, count: Int, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) {
        if region.holds(first: first, count: count) {
            for index in 0..<count {
                left[index] = region.left[first + index]
                right[index] = region.right[first + index]
            }
            return
        }
        for index in 0..<count {
            let frame = region.frame(at: first + index)
            left[index] = frame.left
            right[index] = frame.right
        }
    }
}
