import BarlineTestSupport
import Testing

@testable import BarlineFiles

/// WAV files, written byte by byte.
@Suite("Decoding WAV")
struct WaveDecodingTests {
    /// Codes of `bits` bits: both ends, the middle, and noise between.
    static func codes(_ bits: Int, count: Int) -> [Double] {
        var random = TestRandom(seed: UInt64(bits))
        let full = 1 << (bits - 1)
        let edges = [-full, full - 1, 0, 1, -1].map(Double.init)
        return edges + (0..<count - 5).map { _ in Double(Int.random(in: -full..<full, using: &random)) }
    }

    @Test(
        "Integer samples are the code over the full scale, at every rate", arguments: [8, 16, 24, 32],
        [8000, 11_025, 22_050, 44_100, 48_000, 88_200, 96_000, 192_000])
    func integers(bits: Int, rate: Int) throws {
        let encodings: [Int: WaveFile.Encoding] = [8: .unsigned8, 16: .signed16, 24: .signed24, 32: .signed32]
        let codes = WaveDecodingTests.codes(bits, count: 1000)
        let folder = try TemporaryFolder()
        let file = WaveFile(codes, encoding: try #require(encodings[bits]), sampleRate: rate)
        let clip = try AudioClip(path: try folder.write("a.wav", file.bytes))
        #expect(clip.samples.sampleRate.hertz == Double(rate))
        #expect(clip.samples.channelCount == 1)
        let full = Double(1 << (bits - 1))
        #expect(clip.left == codes.map { Float($0 / full) })
    }

    @Test("Float samples are themselves, beyond full scale too", arguments: [WaveFile.Encoding.float32, .float64])
    func floats(encoding: WaveFile.Encoding) throws {
        var random = TestRandom(seed: 3)
        let values = [0, -0.0, 1, -1, 17.5, -300, 1e-30] + (0..<993).map { _ in random.amplitude() }
        let folder = try TemporaryFolder()
        let clip = try AudioClip(path: try folder.write("a.wav", WaveFile(values, encoding: encoding).bytes))
        #expect(clip.left == values.map { Float($0) })
    }

    @Test("Stereo channels are kept apart")
    func stereo() throws {
        let folder = try TemporaryFolder()
        let file = WaveFile([0.25, -0.5, 0.125, -1], channels: 2)
        let clip = try AudioClip(path: try folder.write("a.wav", file.bytes))
        #expect(clip.samples.channelCount == 2)
        #expect(clip.left == [0.25, 0.125])
        #expect(clip.right == [-0.5, -1])
    }

    @Test("Stereo channels that are the same share their memory, those that differ in their last frame do not")
    func equalChannels() throws {
        let folder = try TemporaryFolder()
        let codes = WaveDecodingTests.codes(16, count: 3_000)
        var samples = codes.flatMap { [$0, $0] }
        let same = try AudioClip(
            path: try folder.write("a.wav", WaveFile(samples, encoding: .signed16, channels: 2).bytes))
        samples[samples.count - 1] += samples[samples.count - 1] > 0 ? -1 : 1
        let other = try AudioClip(
            path: try folder.write("b.wav", WaveFile(samples, encoding: .signed16, channels: 2).bytes))
        #expect(same.samples.left == same.samples.right)
        #expect(other.samples.left != other.samples.right)
        for clip in [same, other] {
            #expect(clip.samples.channelCount == 2)
            #expect(clip.left == codes.map { Float($0 / 32_768) })
            #expect(clip.right.dropLast() == clip.left.dropLast())
        }
        #expect(other.right.last != other.left.last)
    }

    @Test("A file of more frames than are read at a time is read to its end")
    func long() throws {
        let folder = try TemporaryFolder()
        let codes = WaveDecodingTests.codes(16, count: 200_001)
        let clip = try AudioClip(path: try folder.write("a.wav", WaveFile(codes, encoding: .signed16).bytes))
        #expect(clip.left == codes.map { Float($0 / 32_768) })
    }

    @Test("Chunks before and after the samples are no matter, and a name needs no ending")
    func chunks() throws {
        var file = WaveFile([0.5, 0.25])
        file.chunks = Bytes.chunk("JUNK", [1, 2, 3]) + Bytes.chunk("LIST", Array("INFOabcd".utf8))
        file.trailer = Bytes.chunk("note", [1, 2, 3, 4, 5]) + Bytes.chunk("xxxx", [])
        let folder = try TemporaryFolder()
        #expect(try AudioClip(path: try folder.write("sound", file.bytes)).left == [0.5, 0.25])
    }

    @Test(
        "A stream that was written without its length is read as far as it goes", arguments: [0xFFFF_FFFF, 0x7FFF_FFFF])
    func stream(length: Int) throws {
        let file = WaveFile([0.5, 0.25, 0.125])
        let body = file.format + Bytes.chunk("data", file.data, claiming: length)
        let bytes = Array("RIFF".utf8) + Bytes.little(0xFFFF_FFFF, 4) + Array("WAVE".utf8) + body
        let folder = try TemporaryFolder()
        #expect(try AudioClip(path: try folder.write("a.wav", bytes)).left == [0.5, 0.25, 0.125])
    }
}

extension AudioClip {
    /// The left channel.
    var left: [Float] { Array(UnsafeBufferPointer(start: samples.left, count: samples.frameCount)) }
    /// The right channel.
    var right: [Float] { Array(UnsafeBufferPointer(start: samples.right, count: samples.frameCount)) }
}
