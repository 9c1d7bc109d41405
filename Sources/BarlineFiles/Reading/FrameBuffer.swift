import CKernels

/// Frames as a reader decodes them, on their way to where each channel is by itself.
struct FrameBuffer {
    private let fold: ChannelFold
    private let channelCount: Int
    private var samples: [Float] = []
    private var shorts: [Int16] = []
    /// Whether the frames read last are in `shorts`.
    private var isShort = false

    /// A buffer for files with `channelCount` channels, 1 … 8.
    init(channelCount: Int) {
        self.channelCount = channelCount
        fold = ChannelFold(channelCount: channelCount)
    }

    /// Decodes up to `frames` frames, and returns how many; 0 at the end.
    mutating func read(_ reader: AudioFileReader, frames: Int) -> Int {
        isShort = channelCount == 2 && reader.hasShorts
        if isShort {
            if shorts.count < 2 * frames { shorts = Array(repeating: 0, count: 2 * frames) }
            return shorts.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { reader.readShorts(into: $0, frames: frames) } ?? 0
            }
        }
        let count = frames * channelCount
        if samples.count < count { samples = Array(repeating: 0, count: count) }
        return samples.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { reader.read(into: $0, frames: frames) } ?? 0
        }
    }

    /// Puts the first `frames` of what was read where each channel is wanted.
    ///
    /// - Returns: the first frame that has a sample which is no finite number; `frames` where there is none.
    func part(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        if !isShort { return fold.part(samples, left, right, frames: frames) }
        dsp_split_shorts(shorts, left, right, frames)
        return frames
    }

    /// Whether one of the first `frames` of what was read is louder than `level`, 1 or more.
    func isAbove(_ level: Float, frames: Int) -> Bool {
        !isShort && samples[..<(frames * channelCount)].contains { abs($0) > level }
    }
}
