import BarlineSession
import NIOCore

/// Sound for those who listen: frames with the number of the first one.
enum ListenBlock {
    static func format(sampleRate: Double) -> ByteBuffer {
        let value: JSONValue = ["type": "format", "sampleRate": .number(sampleRate), "channels": 2, "encoding": "f32"]
        return ByteBuffer(string: value.line)
    }

    static func encoded(left: [Float], right: [Float], frame: Int64) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: 16 + 8 * left.count)
        buffer.writeInteger(UInt8(2))
        buffer.writeInteger(UInt8(2))
        buffer.writeInteger(UInt16(clamping: left.count), endianness: .little)
        buffer.writeInteger(UInt32(0), endianness: .little)
        buffer.writeInteger(Double(frame).bitPattern, endianness: .little)
        for index in left.indices {
            buffer.writeInteger(left[index].bitPattern, endianness: .little)
            buffer.writeInteger(right[index].bitPattern, endianness: .little)
        }
        return buffer
    }
}
