import CKernels

/// The last frames that came into a limiter, contiguous for each channel.
@usableFromInline
struct LimiterLine: BitwiseCopyable, @unchecked Sendable {
    @usableFromInline let left: UnsafeMutablePointer<Float>
    @usableFromInline let right: UnsafeMutablePointer<Float>
    /// The number of frames kept.
    @usableFromInline let reach: Int
    @usableFromInline let capacity: Int
    /// Where the next frame goes.
    @usableFromInline var end: Int

    /// Creates a line that keeps the last `reach` frames. It is moved to the front of its memory when the end is
    /// reached, which is rare.
    init(reach: Int) {
        self.reach = reach
        capacity = reach + 8 * Limiter.pieceFrames
        left = .allocate(capacity: capacity + TruePeakFilter.slack)
        right = .allocate(capacity: capacity + TruePeakFilter.slack)
        left.initialize(repeating: 0, count: capacity + TruePeakFilter.slack)
        right.initialize(repeating: 0, count: capacity + TruePeakFilter.slack)
        end = reach
    }

    func deallocate() {
        left.deallocate()
        right.deallocate()
    }

    /// Clears the line to silence.
    @_noLocks @inlinable mutating func reset() {
        dsp_clear(left, reach)
        dsp_clear(right, reach)
        end = reach
    }

    /// The last `count` frames of the left channel, delayed by `frames`.
    @_noLocks @inlinable func left(delayed frames: Int, _ count: Int) -> UnsafeMutablePointer<Float> {
        left + (end - count - frames)
    }

    /// The last `count` frames of the right channel, delayed by `frames`.
    @_noLocks @inlinable func right(delayed frames: Int, _ count: Int) -> UnsafeMutablePointer<Float> {
        right + (end - count - frames)
    }

    @_noLocks @inlinable func copy(
        to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, delayed frames: Int, _ count: Int
    ) {
        dsp_copy(self.left(delayed: frames, count), left, count)
        dsp_copy(self.right(delayed: frames, count), right, count)
    }

    /// Appends frames and returns the largest magnitude among them. Samples that are not finite count as silence.
    @_noLocks @inlinable mutating func append(
        left source: UnsafePointer<Float>, right sourceRight: UnsafePointer<Float>, _ count: Int
    ) -> Float {
        if end + count > capacity {
            dsp_copy(left + (end - reach), left, reach)
            dsp_copy(right + (end - reach), right, reach)
            end = reach
        }
        let high = dsp_copy_finite(source, left + end, count)
        let highRight = dsp_copy_finite(sourceRight, right + end, count)
        end += count
        return high > highRight ? high : highRight
    }

    /// The number of samples over full scale among the last `count` frames.
    @_noLocks @inlinable func overCount(ofLast count: Int) -> Int {
        dsp_count_over(left + (end - count), count) + dsp_count_over(right + (end - count), count)
    }
}
