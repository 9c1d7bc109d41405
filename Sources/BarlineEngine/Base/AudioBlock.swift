import BarlineTime

/// A block of audio that a device asks for: `frames` frames for each of its channels' buffers.
///
/// Channels `2·n` and `2·n + 1` of the outputs are the left and right of bus `n`. A missing buffer is passed over.
public struct AudioBlock: BitwiseCopyable, @unchecked Sendable {
    /// One buffer of `frames` samples per output channel.
    public var outputs: UnsafePointer<UnsafeMutablePointer<Float>?>
    /// How many there are.
    public var outputCount: Int
    /// One buffer of `frames` samples per input channel: channels `2·n` and `2·n + 1` are the left and right of input `n`. Without a
    /// right one the left is heard on both sides; without either there is silence.
    public var inputs: UnsafePointer<UnsafePointer<Float>?>?
    /// How many input channels there are.
    public var inputCount = 0
    /// Left and right of every channel after its fader and its bus's, for a renderer that wants them apart: the tracks,
    /// the metronome, and ``EngineConfiguration/stemCapacity`` stems.
    public var channelOutputs: UnsafePointer<UnsafeMutablePointer<Float>?>?
    /// The device's own count of frames at the block's first one, from any origin: it shows the engine frames that
    /// were passed over or asked for twice. `nil` where the device does not count.
    public var deviceFrame: Int64?
    /// When the device asked for the block; `nil` where no time passes outside, as in a render.
    public var hostTime: HostTime?
    /// Whether time passes only: everything happens as it would, and the outputs are left as they are.
    public var isUnheard = false
    /// The share of the voices that is to be stolen because the machine doesn't keep up, below 1; 0 for none, as in every
    /// render.
    package var shedding = 0.0
    /// The block's length, 0 or more.
    public var frames: Int

    /// Creates a block with outputs only.
    @_noLocks public init(outputs: UnsafePointer<UnsafeMutablePointer<Float>?>, outputCount: Int, frames: Int) {
        self.outputs = outputs
        self.outputCount = outputCount
        inputs = nil
        inputCount = 0
        channelOutputs = nil
        deviceFrame = nil
        hostTime = nil
        shedding = 0
        self.frames = frames
    }
}
