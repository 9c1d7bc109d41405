import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineFiles

/// Formats other than WAV.
@Suite("Decoding AIFF, FLAC, Ogg Vorbis and Ogg Opus")
struct OtherFormatTests {
    @Test("AIFF samples are the code over the full scale", arguments: [8, 16, 24, 32], [8000, 44_100, 192_000])
    func aiff(bits: Int, rate: Int) throws {
        let codes = WaveDecodingTests.codes(bits, count: 501)
        let file = AiffFile(codes.map { Int($0) }, bits: bits, sampleRate: rate)
        let folder = try TemporaryFolder()
        let clip = try AudioClip(path: try folder.write("a.aiff", file.bytes))
        #expect(clip.samples.sampleRate.hertz == Double(rate))
        #expect(clip.left == codes.map { Float($0 / Double(1 << (bits - 1))) })
    }

    @Test("AIFF that another program wrote has the same samples", arguments: ["aiff", "aifc"])
    func soxAIFF(ending: String) throws {
        let folder = try TemporaryFolder()
        let codes = WaveDecodingTests.codes(16, count: 4001)
        let path = try folder.write("a.wav", WaveFile(codes, encoding: .signed16, sampleRate: 44_100).bytes)
        let converted = try Program.run("sox", [path, folder.path("a.\(ending)")])
        #expect(converted.status == 0, "\(converted.errors)")
        #expect(try AudioClip(path: folder.path("a.\(ending)")).left == codes.map { Float($0 / 32_768) })
    }

    @Test("FLAC is exact", arguments: [(16, 44_100), (24, 48_000), (24, 192_000), (16, 8000)])
    func flac(bits: Int, rate: Int) throws {
        let folder = try TemporaryFolder()
        let codes = WaveDecodingTests.codes(bits, count: 20_001)
        let encoding: WaveFile.Encoding = bits == 16 ? .signed16 : .signed24
        let path = try folder.write("a.wav", WaveFile(codes, encoding: encoding, sampleRate: rate).bytes)
        let encoded = try Program.run("flac", ["-s", "--lax", path, "-o", folder.path("a.flac")])
        #expect(encoded.status == 0, "\(encoded.errors)")
        let clip = try AudioClip(path: folder.path("a.flac"))
        #expect(clip.samples.sampleRate.hertz == Double(rate))
        #expect(clip.left == codes.map { Float($0 / Double(1 << (bits - 1))) })
    }

    @Test("Ogg Vorbis has all its frames, in their place", arguments: [22_050, 44_100, 48_000], [12_345, 100_000])
    func vorbis(rate: Int, frames: Int) throws {
        let folder = try TemporaryFolder()
        let (path, samples) = try OtherFormatTests.tones(folder, rate: rate, frames: frames)
        let encoded = try Program.run("oggenc", ["-Q", "-q", "8", path, "-o", folder.path("a.ogg")])
        #expect(encoded.status == 0, "\(encoded.errors)")
        let clip = try AudioClip(path: folder.path("a.ogg"))
        #expect(clip.samples.frameCount == frames)
        #expect(clip.samples.sampleRate.hertz == Double(rate))
        #expect(OtherFormatTests.noiseRatio(clip.left, samples) < 0.05)
    }

    @Test(
        "Ogg Opus has all its frames, in their place: encoder delay and padding are gone", arguments: [12_345, 96_000])
    func opus(frames: Int) throws {
        let folder = try TemporaryFolder()
        let (path, samples) = try OtherFormatTests.tones(folder, rate: 48_000, frames: frames)
        let encoded = try Program.run("opusenc", ["--quiet", "--bitrate", "256", path, folder.path("a.opus")])
        #expect(encoded.status == 0, "\(encoded.errors)")
        let clip = try AudioClip(path: folder.path("a.opus"))
        #expect(clip.samples.frameCount == frames)
        #expect(clip.samples.sampleRate.hertz == 48_000)
        #expect(OtherFormatTests.noiseRatio(clip.left, samples) < 0.1)
    }

    /// A file of a few tones that swell and fade, and its samples.
    static func tones(_ folder: TemporaryFolder, rate: Int, frames: Int) throws -> (String, [Double]) {
        let samples = (0..<frames).map { frame in
            let seconds = Double(frame) / Double(rate)
            let shape = sin(.pi * Double(frame) / Double(frames))
            return 0.3 * shape * (sin(2 * .pi * 440 * seconds) + 0.5 * sin(2 * .pi * 1234 * seconds))
        }
        let codes = samples.map { ($0 * 32_767).rounded() }
        let path = try folder.write("a.wav", WaveFile(codes, encoding: .signed16, sampleRate: rate).bytes)
        return (path, samples)
    }

    /// The power of the difference over that of the original; a shift by one frame is seen.
    static func noiseRatio(_ decoded: [Float], _ original: [Double]) -> Double {
        let noise = zip(decoded, original).reduce(0) { $0 + (Double($1.0) - $1.1) * (Double($1.0) - $1.1) }
        return (noise / original.reduce(0) { $0 + $1 * $1 }).squareRoot()
    }
}
