import BarlineDSP
import BarlineTime
import Foundation

/// What a pad plays, and how.
public struct PadSettings: Hashable, Sendable {
    /// What ``pitch`` may be, in semitones.
    public static let pitchRange: ClosedRange<Double> = -24...24
    /// What ``choke`` may be.
    public static let chokeRange: ClosedRange<Int> = 0...64

    /// The gain at full velocity.
    public var gain: Decibels
    /// Semitones up or down, by speed.
    public var pitch: Double
    /// The group of pads of which a new one fades the others out, as an open hi-hat is closed; 0 for none.
    public var choke: Int

    /// Creates settings.
    public init(gain: Decibels = Decibels(0), pitch: Double = 0, choke: Int = 0) {
        self.gain = gain
        self.pitch = pitch
        self.choke = choke
    }
}

/// A pad that the engine has loaded.
public struct PadHandle: Hashable, Sendable {
    /// The pad's place in the engine's table, reused after the pad is unloaded.
    public let rawValue: Int
}

/// What the audio thread knows of a pad. It never changes: an edit makes a new one.
struct PadContent: BitwiseCopyable, @unchecked Sendable {
    let region: SourceRegion
    /// Source frames a second of what is heard.
    let rate: Double
    let gain: Float
    let choke: Int
}

/// Owns what a ``PadContent`` points to, on the control side.
final class PreparedPad: @unchecked Sendable {
    let content: UnsafePointer<PadContent>
    private let buffer: SampleBuffer

    init(_ buffer: SampleBuffer, _ settings: PadSettings) {
        let region = SourceRegion(
            left: buffer.left, right: buffer.right, length: buffer.frameCount, framesBefore: 0, framesAfter: 0,
            loops: false, seamLeft: buffer.left, seamRight: buffer.left, seamLength: 0)
        let storage = UnsafeMutablePointer<PadContent>.allocate(capacity: 1)
        storage.initialize(
            to: PadContent(
                region: region, rate: buffer.sampleRate.hertz * pow(2, settings.pitch / 12),
                gain: Float(settings.gain.amplitude), choke: settings.choke))
        content = UnsafePointer(storage)
        self.buffer = buffer
    }

    deinit { content.deallocate() }
}
