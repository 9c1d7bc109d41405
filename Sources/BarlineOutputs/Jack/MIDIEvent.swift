import BarlineTime

/// A short MIDI message and the engine's frame on which it arrived.
package struct MIDIEvent: Hashable, Sendable {
    /// One to three bytes.
    package let bytes: [UInt8]
    /// The frame.
    package let frame: FrameTime
}
