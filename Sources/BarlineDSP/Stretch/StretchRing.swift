import CKernels
import CRealtime

/// A ring of the frames of a stream that the audio thread stretches: frame `n` lies in slot `n & mask`.
package struct StretchRing: BitwiseCopyable, @unchecked Sendable {
    /// The slots of the left channel, and those of the right one.
    let left: UnsafePointer<Float>
    let right: UnsafePointer<Float>
    /// One less than the number of slots, a power of two; 0 for no ring.
    let mask: Int
    /// The number of slots at the start of the ring that are repeated after its end.
    let overlap: Int
    /// The frames from `first` up to `end` are available.
    let first: Int64
    let end: Int64

    /// The number of frames beside those read that the interpolator may need.
    private static var reach: Int64 { @_noLocks get { 256 } }

    /// Creates a ring; see the properties for what the parameters mean.
    @_noLocks package init(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, capacity: Int, overlap: Int, first: Int64, end: Int64
    ) {
        self.left = left
        self.right = right
        mask = capacity - 1
        self.overlap = overlap
        self.first = first
        self.end = end
    }

    /// Creates an empty ring, in place of one whose frames would be at `samples`.
    @_noLocks init(insteadOf samples: UnsafePointer<Float>) {
        left = samples
        right = samples
        mask = 0
        overlap = 0
        first = 0
        end = 0
    }

    /// Reads `count` frames from `position` on, `pace` frames apart; unavailable frames are silent.
    ///
    /// O(`count`).
    @_noLocks func read(
        from position: Double, count: Int, pace: Double, _ reader: borrowing VarispeedReader,
        left target: UnsafeMutablePointer<Float>, right targetRight: UnsafeMutablePointer<Float>
    ) {
        if pace == 1 {
            copy(from: Int64(rt_floor(position + 0.5)), count: count, target, targetRight)
            return
        }
        let reach = StretchRing.reach
        let step = SourcePosition(pace)
        let filter = reader.filter(rate: pace)
        var longest = Int(Double(overlap - 2 * Int(reach) - 4) / pace)
        if longest < 1 { longest = 1 }
        var done = 0
        while done < count {
            let frames = count - done < longest ? count - done : longest
            let place = position + Double(done) * pace
            let low = Int64(rt_floor(place)) - reach
            let length = Int(2 * reach) + Int(Double(frames) * pace) + 2
            if low >= first, low + Int64(length) <= end {
                let slot = Int(low) & mask
                reader.read(
                    SourceRegion(left: left + slot, right: right + slot, length: length),
                    from: SourcePosition(place - Double(low)), step: step, filter: filter, count: frames,
                    left: target + done, right: targetRight + done)
            } else {
                dsp_clear(target + done, frames)
                dsp_clear(targetRight + done, frames)
            }
            done += frames
        }
    }

    /// Copies the `count` frames from `start` on.
    @_noLocks private func copy(
        from start: Int64, count: Int, _ target: UnsafeMutablePointer<Float>,
        _ targetRight: UnsafeMutablePointer<Float>
    ) {
        var done = 0
        while done < count {
            let frame = start + Int64(done)
            var frames = count - done
            if frame < first || frame >= end {
                if frame < first, first - frame < Int64(frames) { frames = Int(first - frame) }
                dsp_clear(target + done, frames)
                dsp_clear(targetRight + done, frames)
            } else {
                let slot = Int(truncatingIfNeeded: frame) & mask
                if mask + 1 - slot < frames { frames = mask + 1 - slot }
                if end - frame < Int64(frames) { frames = Int(end - frame) }
                dsp_copy(left + slot, target + done, frames)
                dsp_copy(right + slot, targetRight + done, frames)
            }
            done += frames
        }
    }
}
