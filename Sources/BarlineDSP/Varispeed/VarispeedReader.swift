import CKernels

/// Reads a region at any position, band-limited.
///
/// The reader has no state: the same position yields the same sample, whatever was read before.
public struct VarispeedReader: ~Copyable, Sendable {
    @usableFromInline let kernel: VarispeedKernel

    /// Creates a reader. The first one of ``VarispeedQuality/best`` takes some 25 ms.
    public init(quality: VarispeedQuality = .live) { kernel = quality == .best ? .exact : .shared }

    /// The filter for a changing rate, now `rate` source frames per output frame.
    @_noLocks @inlinable public borrowing func filter(rate: Double) -> VarispeedFilter { kernel.filter(rate: rate) }

    /// The filter for a constant `rate` source frames per output frame: half the work above rate 1.
    @_noLocks @inlinable public borrowing func steadyFilter(rate: Double) -> VarispeedFilter {
        kernel.steadyFilter(rate: rate)
    }

    /// The sample of `region` at `position` source frames from its start.
    @_noLocks @inlinable public borrowing func frame(
        of region: SourceRegion, at position: SourcePosition, filter: VarispeedFilter
    ) -> StereoFrame {
        var frame = StereoFrame(left: 0, right: 0)
        var piece = region.piece
        dsp_read(
            &piece, filter.lower, filter.upper, filter.blend, position.whole, position.fraction, 0, 0, 1, &frame.left,
            &frame.right)
        return frame
    }

    /// Reads `count` frames from `position` on, `step` apart.
    ///
    /// At a step of exactly 1 and a whole position the source frames are copied bit for bit.
    ///
    /// - Complexity: O(`count`).
    @_noLocks @inlinable public borrowing func read(
        _ region: SourceRegion, from position: SourcePosition, step: SourcePosition, filter: VarispeedFilter,
        count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        var piece = region.piece
        if step.whole == 1, step.fraction == 0, position.fraction == 0 {
            dsp_copy_frames(&piece, Int(position.whole), count, left, right)
            return
        }
        dsp_read(
            &piece, filter.lower, filter.upper, filter.blend, position.whole, position.fraction, step.whole,
            step.fraction, count, left, right)
    }

    /// Where `count` frames from `position` on are, if ``read(_:from:step:filter:count:left:right:)`` would copy them from
    /// one piece of memory: at a step of exactly 1 and a whole position, with neither a wrap, a seam nor silence in them.
    ///
    /// To copy what is mixed at once costs as much as mixing it does.
    @_noLocks @inlinable package borrowing func frames(
        of region: SourceRegion, at position: SourcePosition, step: SourcePosition, count: Int
    ) -> (left: UnsafePointer<Float>, right: UnsafePointer<Float>)? {
        guard step.whole == 1, step.fraction == 0, position.fraction == 0 else { return nil }
        var piece = region.piece
        var (left, right): (UnsafePointer<Float>?, UnsafePointer<Float>?)
        guard dsp_find_frames(&piece, Int(position.whole), count, &left, &right) != 0, let left, let right else {
            return nil
        }
        return (left, right)
    }
}
