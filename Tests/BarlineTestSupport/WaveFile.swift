/// A WAV file written byte by byte, by nobody's library.
package struct WaveFile {
    /// How a sample is stored.
    package enum Encoding: String, CaseIterable, Sendable {
        case unsigned8, signed16, signed24, signed32, float32, float64

        /// The bytes of a sample.
        package var width: Int {
            switch self {
            case .unsigned8: 1
            case .signed16: 2
            case .signed24: 3
            case .signed32, .float32: 4
            case .float64: 8
            }
        }

        /// Whether samples are floating point.
        package var isFloat: Bool { self == .float32 || self == .float64 }
    }

    package var encoding = Encoding.float32
    package var sampleRate = 48_000
    package var channels = 1
    /// Interleaved: integer codes (8 bit: −128 … 127), or the values of float samples.
    package var samples: [Double]
    /// Chunks between `fmt ` and `data`.
    package var chunks: [UInt8] = []
    /// Chunks after `data`.
    package var trailer: [UInt8] = []

    package init(_ samples: [Double], encoding: Encoding = .float32, sampleRate: Int = 48_000, channels: Int = 1) {
        self.samples = samples
        self.encoding = encoding
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// The `fmt ` chunk.
    package var format: [UInt8] {
        let frame = channels * encoding.width
        return Bytes.chunk(
            "fmt ",
            Bytes.little(encoding.isFloat ? 3 : 1, 2) + Bytes.little(channels, 2) + Bytes.little(sampleRate, 4)
                + Bytes.little(sampleRate * frame, 4) + Bytes.little(frame, 2)
                + Bytes.little(8 * encoding.width, 2))
    }

    /// The samples as they are stored.
    package var data: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(samples.count * encoding.width)
        for sample in samples {
            switch encoding {
            case .unsigned8: bytes.append(UInt8(Int(sample) + 128))
            case .signed16, .signed24, .signed32: bytes += Bytes.little(Int(sample), encoding.width)
            case .float32: bytes += Bytes.little(Int(Float(sample).bitPattern), 4)
            case .float64: bytes += Bytes.little(Int(truncatingIfNeeded: sample.bitPattern), 8)
            }
        }
        return bytes
    }

    /// The whole file.
    package var bytes: [UInt8] {
        WaveFile.riff(format + chunks + Bytes.chunk("data", data) + trailer)
    }

    /// A RIFF file of the kind WAVE with `body` in it.
    package static func riff(_ body: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + Bytes.little(body.count + 4, 4) + Array("WAVE".utf8) + body
    }
}
