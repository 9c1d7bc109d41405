import BarlineTime

/// Decoded audio: one or two channels of 32-bit float samples that never change.
///
/// The memory is allocated outside Swift's arrays, so that the audio thread can read it through plain pointers for as
/// long as somebody holds the buffer.
public final class SampleBuffer: @unchecked Sendable {
    /// The left channel, ``frameCount`` samples.
    public let left: UnsafePointer<Float>
    /// The right channel; the same pointer as ``left`` where the audio is mono.
    public let right: UnsafePointer<Float>
    /// The length in frames, at least 1.
    public let frameCount: Int
    /// 1 or 2.
    public let channelCount: Int
    /// The rate at which the samples were taken.
    public let sampleRate: SampleRate

    /// Copies samples.
    ///
    /// - Parameters:
    ///   - left: the left channel, at least one sample.
    ///   - right: the right channel, as long as `left`; `nil` for mono.
    ///   - sampleRate: the rate at which they were taken.
    public init(left: [Float], right: [Float]? = nil, sampleRate: SampleRate) {
        precondition(!left.isEmpty, "a sample buffer has at least one frame")
        precondition(right == nil || right?.count == left.count, "both channels have one length")
        frameCount = left.count
        channelCount = right == nil ? 1 : 2
        self.sampleRate = sampleRate
        let storage = UnsafeMutablePointer<Float>.allocate(capacity: frameCount * channelCount)
        storage.initialize(from: left, count: frameCount)
        if let right { (storage + frameCount).initialize(from: right, count: frameCount) }
        self.left = UnsafePointer(storage)
        self.right = UnsafePointer(storage + (channelCount - 1) * frameCount)
    }

    deinit { left.deallocate() }
}
