import BarlineDSP
import BarlineTime
import Foundation

/// The settings of a pad.
public struct PadSettings: Hashable, Sendable {
    /// The range of ``pitch``, in semitones.
    public static let pitchRange: ClosedRange<Double> = -24...24
    /// The range of ``choke``.
    public static let chokeRange: ClosedRange<Int> = 0...64
    /// The range of ``pan``.
    public static let panRange: ClosedRange<Double> = -1...1
    /// The range of ``sensitivity``.
    public static let sensitivityRange: ClosedRange<Double> = 0...1

    /// The gain at full velocity.
    public var gain: Decibels
    /// The pan (balance): a side attenuates the other one linearly.
    public var pan: Double
    /// Semitones up or down, by varispeed.
    public var pitch: Double
    /// The choke group: a hit fades out the other pads of its group, as a closing hi-hat chokes the open one; 0 for
    /// none.
    public var choke: Int
    /// How far the velocity determines the loudness: with 0 every hit is as loud as the hardest one, with 1 the
    /// loudness is the square of its velocity.
    public var sensitivity: Double
    /// The grid that hits wait for while the transport rolls, unless they specify another one.
    public var quantization: Quantization

    /// Creates settings.
    public init(
        gain: Decibels = Decibels(0), pan: Double = 0, pitch: Double = 0, choke: Int = 0, sensitivity: Double = 1,
        quantization: Quantization = .none
    ) {
        self.gain = gain
        self.pan = pan
        self.pitch = pitch
        self.choke = choke
        self.sensitivity = sensitivity
        self.quantization = quantization
    }
}

/// The content of a pad on the audio thread. It is immutable: an edit creates a new one.
struct PadContent: BitwiseCopyable, @unchecked Sendable {
    let region: SourceRegion
    /// Source frames per second of output.
    let rate: Double
    let gainLeft: Float
    let gainRight: Float
    let choke: Int
    let sensitivity: Float
    let quantization: Quantization
}

/// The owner of what a ``PadContent`` points to, on the control side.
final class PreparedPad: @unchecked Sendable {
    let content: UnsafePointer<PadContent>
    private let buffer: SampleBuffer

    init(_ buffer: SampleBuffer, _ settings: PadSettings) {
        let region = SourceRegion(
            left: buffer.left, right: buffer.right, length: buffer.frameCount, framesBefore: 0, framesAfter: 0,
            loops: false, seamLeft: buffer.left, seamRight: buffer.left, seamLength: 0)
        let gain = settings.gain.amplitude
        let storage = UnsafeMutablePointer<PadContent>.allocate(capacity: 1)
        storage.initialize(
            to: PadContent(
                region: region, rate: buffer.sampleRate.hertz * pow(2, settings.pitch / 12),
                gainLeft: Float(gain * min(1, 1 - settings.pan)), gainRight: Float(gain * min(1, 1 + settings.pan)),
                choke: settings.choke, sensitivity: Float(settings.sensitivity), quantization: settings.quantization))
        content = UnsafePointer(storage)
        self.buffer = buffer
    }

    deinit { content.deallocate() }
}
