import BarlineDSP
import BarlineTime
import Foundation

/// The settings of a pad.
public struct PadSettings: Hashable, Sendable {
    /// What ``pitch`` may be, in semitones.
    public static let pitchRange: ClosedRange<Double> = -24...24
    /// What ``choke`` may be.
    public static let chokeRange: ClosedRange<Int> = 0...64
    /// What ``pan`` may be.
    public static let panRange: ClosedRange<Double> = -1...1
    /// What ``sensitivity`` may be.
    public static let sensitivityRange: ClosedRange<Double> = 0...1

    /// The gain at full velocity.
    public var gain: Decibels
    /// The balance: a side attenuates the other one linearly.
    public var pan: Double
    /// Semitones up or down, by speed.
    public var pitch: Double
    /// The group of pads of which a new one fades the others out, as an open hi-hat is closed; 0 for none.
    public var choke: Int
    /// How far the velocity decides how loud it is: with 0 every hit is as loud as the hardest one, with 1 it is as loud as the
    /// square of its velocity.
    public var sensitivity: Double
    /// The grid that hits wait for while the transport rolls, unless they name another one.
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

/// A pad as the audio thread has it. It is immutable: an edit makes a new one.
struct PadContent: BitwiseCopyable, @unchecked Sendable {
    let region: SourceRegion
    /// Source frames a second of what is heard.
    let rate: Double
    let gainLeft: Float
    let gainRight: Float
    let choke: Int
    let sensitivity: Float
    let quantization: Quantization
}

/// Owns what a ``PadContent`` points to, on the control side.
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
