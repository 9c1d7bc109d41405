import BarlineTime

/// A block of audio that a device requests: `frames` frames for each of its channels' buffers.
///
/// Channels `2·n` and `2·n + 1` of the outputs are the left and right of bus `n`. A missing buffer is skipped.
public struct AudioBlock: BitwiseCopyable, @unchecked Sendable {
    /// One buffer of `frames` samples per output channel.
    public var outputs: UnsafePointer<UnsafeMutablePointer<Float>?>
    /// The number of output channels.
    public var outputCount: Int
    /// One buffer of `frames` samples per input channel: channels `2·n` and `2·n + 1` are the left and right of input
    /// `n`. Without a right one the left is used for both sides; without either the input is silent.
    public var inputs: UnsafePointer<UnsafePointer<Float>?>?
    /// The number of input channels.
    public var inputCount = 0
    /// Left and right of every channel after its fader and its bus's fader, for a renderer that wants separate
    /// channels: the tracks, the metronome, the playlist, the pads, and ``EngineConfiguration/stemCapacity`` stems.
    public var channelOutputs: UnsafePointer<UnsafeMutablePointer<Float>?>?
    /// The device's own count of frames at the block's first one, from any origin: it tells the engine about frames
    /// that were skipped or requested twice. `nil` if the device does not count.
    public var deviceFrame: Int64?
    /// The time at which the device requested the block; `nil` where no real time passes, as in an offline render.
    public var hostTime: HostTime?
    /// Where the messages of a MIDI clock go, which follows the transport; `nil` for nowhere. They are as late as the
    /// sound is by ``Engine/outputLatency``.
    public var clock: UnsafeMutablePointer<MIDIClockBuffer>?
    /// Whether time only passes: everything happens as usual, but the outputs are left untouched.
    package var isPreroll = false
    /// The share of the voices to steal because the machine is overloaded, below 1; 0 for none, as in every offline
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
        clock = nil
        shedding = 0
        self.frames = frames
    }
}
