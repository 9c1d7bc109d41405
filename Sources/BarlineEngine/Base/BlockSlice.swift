import BarlineDSP
import BarlineTime
import CKernels

/// A part of a block over which nothing is due: what is mixed at a time.
struct BlockSlice: BitwiseCopyable, @unchecked Sendable {
    /// The most frames that a slice has, and so the length of every buffer that one is mixed in.
    static var largestCount: Int { @_noLocks get { 256 } }

    let block: AudioBlock
    /// The slice's first frame in the block.
    let offset: Int
    /// Its length in frames, 1 … ``largestCount``.
    let count: Int
    /// Its first frame on the timeline.
    let start: FrameTime
    let ballistics: MeterBallistics

    @_noLocks init(of block: AudioBlock, offset: Int, count: Int, start: FrameTime, sampleRate: SampleRate) {
        self.block = block
        self.offset = offset
        self.count = count
        self.start = start
        ballistics = MeterBallistics(frames: count, sampleRate: sampleRate)
    }

    /// Copies the slice of `samples` to its place in a buffer of the block, if there is one.
    @_noLocks func copy(_ samples: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>?) {
        guard let output else { return }
        dsp_copy(samples, output + offset, count)
    }

    /// Clears its place in a buffer of the block, if there is one.
    @_noLocks func clear(_ output: UnsafeMutablePointer<Float>?) {
        guard let output else { return }
        dsp_clear(output + offset, count)
    }
}
