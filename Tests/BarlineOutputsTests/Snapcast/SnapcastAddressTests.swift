import BarlineTime
import Testing

@testable import BarlineDSP
@testable import BarlineOutputs

/// Addresses and samples of a Snapcast server.
@Suite("Snapcast addresses and samples")
struct SnapcastAddressTests {
    @Test("What an address may say")
    func addresses() throws {
        #expect(try SnapcastAddress("snapcast://box") == SnapcastAddress(host: "box"))
        #expect(try SnapcastAddress("box:5000") == SnapcastAddress(host: "box", port: 5000))
        #expect(try SnapcastAddress("Snapcast://192.168.1.2:4953/").host == "192.168.1.2")
        #expect(try SnapcastAddress("snapcast://[::1]:1").host == "::1")
        let address = try SnapcastAddress("snapcast://box?rate=44100&bits=24&buffer=400")
        #expect(address.sampleRate.hertz == 44_100 && address.bits == 24 && address.buffer == 0.4)
    }

    @Test(
        "What is none is refused",
        arguments: [
            "", "snapcast://", "http://box", "snapcast://box:0", "snapcast://box:70000", "snapcast://box/path",
            "snapcast://box?bits=20", "snapcast://box?rate=1", "snapcast://box?buffer=x", "snapcast://box?what=1",
        ])
    func wrong(text: String) { #expect(throws: OutputError.invalidAddress(text)) { try SnapcastAddress(text) } }

    @Test("Samples are little-endian, 24 bits in four bytes", arguments: [16, 24, 32])
    func samples(bits: Int) {
        var encoder = PCMEncoder(bits: bits)
        var dither = Dither()
        let (left, right): ([Float], [Float]) = ([-1, 0.25, 2], [1, -0.5, .nan])
        let bytes = encoder.encode(left, right, count: 3)
        let width = bits == 16 ? 2 : 4
        #expect(bytes.count == 6 * width)
        for (index, sample) in [-1, 1, 0.25, -0.5, 2, Float.nan].enumerated() {
            let code = dither.quantize(sample, bits: bits)
            let found = bytes[index * width..<(index + 1) * width].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            #expect(found == (width == 2 ? UInt32(UInt16(truncatingIfNeeded: code)) : UInt32(bitPattern: code)))
        }
    }
}
