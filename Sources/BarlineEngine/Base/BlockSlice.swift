import BarlineDSP
import BarlineTime
import CKernels

/// A part of a block within which nothing is scheduled: the unit of mixing.
struct BlockSlice: BitwiseCopyable, @unchecked Sendable {
    /// The most frames that a slice has, and so the length of every mixing buffer.
    static var largestCount: Int { @_noLocks get { 256 } }

    let block: AudioBlock
    /// The slice's first frame, relative to the block.
    let offset: Int
    /// Its length in frames, 1 … ``largestCount``.
    let count: Int
    /// The slice's first frame on the timeline.
    let start: FrameTime
    let ballistics: MeterBallistics

    @_noLocks init(of block: AudioBlock, offset: Int, count: Int, start: FrameTime, sampleRate: SampleRate) {
        self.block = block
        self.offset = offset
        self.count = count
        self.start = start
        ballistics = MeterBallistics(frames: count, sampleRate: sampleRate)
    }

    /// Whether the block asks for channels of their own.
    var hasChannelOutputs: Bool {
        @_noLocks get {
            if let _ = block.channelOutputs { return true }
            return false
        }
    }

    /// Copies the slice of `samples` to its place in an output buffer of the block, if there is one.
    @_noLocks func copy(_ samples: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>?) {
        guard let output else { return }
        dsp_copy(samples, output + offset, count)
    }

    /// Clears its place in an output buffer of the block, if there is one.
    @_noLocks func clear(_ output: UnsafeMutablePointer<Float>?) {
        guard let output else { return }
        dsp_clear(output + offset, count)
    }
}
