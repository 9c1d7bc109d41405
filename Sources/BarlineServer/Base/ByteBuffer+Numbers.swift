import BarlineDSP
import BarlineEngine
import NIOCore

/// The numbers of frames of positions: little-endian, as the page's typed arrays read it.
extension ByteBuffer {
    mutating func write(_ value: Double) { writeInteger(value.bitPattern, endianness: .little) }

    mutating func write(_ value: Float) { writeInteger(value.bitPattern, endianness: .little) }

    /// The peaks of both channels.
    mutating func write(_ meter: MeterReading) {
        write(meter.peakLeft)
        write(meter.peakRight)
    }

    /// Whether a strip is muted, and whether it is soloed.
    mutating func writeFlags(_ strip: EngineState.Strip) {
        writeInteger(UInt32((strip.isMuted ? 1 : 0) | (strip.isSoloed ? 2 : 0)), endianness: .little)
    }
}
