/// The memory of the blocks that an engine renders: a buffer for each output channel, allocated once.
///
/// An output of one's own and an offline renderer need it; a system's callback brings buffers of its own. Used by one
/// thread at a time.
///
/// ```swift
/// let buffer = RenderBuffer(busCount: engine.configuration.busCount, frameCapacity: 512)
/// engine.render(into: buffer, frames: 512)
/// try file.write(left: buffer.left, right: buffer.right, frames: 512)
/// ```
public final class RenderBuffer {
    /// The number of output channels, two per bus.
    public let channelCount: Int
    /// The length of the longest block, in frames.
    public let frameCapacity: Int

    private let samples: UnsafeMutablePointer<Float>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

    /// Allocates silence.
    ///
    /// - Parameters:
    ///   - busCount: the number of the engine's buses, at least 1.
    ///   - frameCapacity: the length of the longest block in frames, at least 1.
    /// - Complexity: O(*n*) in the frames of all channels.
    public init(busCount: Int, frameCapacity: Int) {
        precondition(busCount > 0 && frameCapacity > 0, "there is at least one bus and one frame")
        channelCount = 2 * busCount
        self.frameCapacity = frameCapacity
        samples = .allocate(capacity: channelCount * frameCapacity)
        samples.initialize(repeating: 0, count: channelCount * frameCapacity)
        channels = .allocate(capacity: channelCount)
        for channel in 0..<channelCount { (channels + channel).initialize(to: samples + channel * frameCapacity) }
    }

    deinit {
        samples.deallocate()
        channels.deallocate()
    }

    /// A block of the buffers' first `frames` frames, 0 … ``frameCapacity``, for a renderer that adds inputs or times
    /// to it. Valid for as long as this object lives.
    public func block(frames: Int) -> AudioBlock {
        precondition((0...frameCapacity).contains(frames), "a block is as long as its buffers at most")
        return AudioBlock(outputs: UnsafePointer(channels), outputCount: channelCount, frames: frames)
    }

    /// The samples of output channel `channel`: `2·n` and `2·n + 1` are the left and right of bus `n`.
    public func samples(of channel: Int) -> UnsafePointer<Float> {
        precondition((0..<channelCount).contains(channel), "there is no such channel")
        return UnsafePointer(samples + channel * frameCapacity)
    }

    /// The left channel of the main bus.
    public var left: UnsafePointer<Float> { samples(of: 0) }

    /// The right channel of the main bus.
    public var right: UnsafePointer<Float> { samples(of: 1) }
}
