import Foundation

/// An AIFF file written byte by byte.
package struct AiffFile {
    package var sampleRate = 44_100
    package var channels = 1
    package var bits = 16
    /// Interleaved integer codes.
    package var codes: [Int]
    /// Chunks between `COMM` and `SSND`.
    package var chunks: [UInt8] = []

    package init(_ codes: [Int], bits: Int = 16, sampleRate: Int = 44_100, channels: Int = 1) {
        self.codes = codes
        self.bits = bits
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// A rate as the 80-bit floating-point number that AIFF wants.
    private var extendedRate: [UInt8] {
        let exponent = Int(log2(Double(sampleRate)))
        return Bytes.big(16_383 + exponent, 2) + Bytes.big(sampleRate << (63 - exponent), 8)
    }

    /// The whole file.
    package var bytes: [UInt8] {
        let common =
            Bytes.big(channels, 2) + Bytes.big(codes.count / channels, 4) + Bytes.big(bits, 2) + extendedRate
        let sound = Bytes.big(0, 8) + codes.flatMap { Bytes.big($0, bits / 8) }
        let body = Bytes.bigChunk("COMM", common) + chunks + Bytes.bigChunk("SSND", sound)
        return Array("FORM".utf8) + Bytes.big(body.count + 4, 4) + Array("AIFF".utf8) + body
    }
}
