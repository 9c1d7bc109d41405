import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineFiles

/// MP3, made by other programs.
@Suite("Decoding MP3")
struct MPEGTests {
    /// How a file is encoded.
    enum Encoder: String, CaseIterable, Sendable {
        case lameConstant, lameVariable, ffmpeg

        func encode(_ source: String, to target: String) throws -> Program.Outcome {
            switch self {
            case .lameConstant: try Program.run("lame", ["--quiet", "-b", "320", source, target])
            case .lameVariable: try Program.run("lame", ["--quiet", "-V", "0", source, target])
            case .ffmpeg:
                try Program.run(
                    "ffmpeg",
                    ["-loglevel", "error", "-y", "-i", source, "-codec:a", "libmp3lame", "-b:a", "320k", target])
            }
        }
    }

    /// Noise that does not repeat, without what an encoder would throw away.
    private static func noise(_ frames: Int, seed: UInt64) -> [Double] {
        var random = TestRandom(seed: seed)
        var low = 0.0
        return (0..<frames).map { _ in
            low += 0.2 * (random.amplitude() - low)
            return low
        }
    }

    private func write(_ samples: [Double], _ name: String, in folder: TemporaryFolder) throws -> String {
        try folder.write(
            name, WaveFile(samples.map { ($0 * 32_767).rounded() }, encoding: .signed16, sampleRate: 44_100).bytes)
    }

    /// By how many frames `decoded` is shifted against `original`, around its middle; `nil` where it is not found.
    private func shift(_ decoded: [Float], _ original: [Double], at place: Int) -> Int? {
        let count = 1_000
        return (-2_400...2_400).first { shift in
            var error = 0.0
            var power = 0.0
            for frame in place..<place + count {
                guard decoded.indices.contains(frame + shift) else { return false }
                let difference = Double(decoded[frame + shift]) - original[frame]
                error += difference * difference
                power += original[frame] * original[frame]
            }
            return error < 0.05 * power
        }
    }

    @Test(
        "Noise cut in two at an odd frame joins again without a frame too few or too many", arguments: Encoder.allCases)
    func join(encoder: Encoder) throws {
        let folder = try TemporaryFolder()
        let whole = MPEGTests.noise(88_201, seed: 5)
        var joined: [Float] = []
        for (index, half) in [Array(whole[..<40_003]), Array(whole[40_003...])].enumerated() {
            let source = try write(half, "\(index).wav", in: folder)
            let made = try encoder.encode(source, to: folder.path("\(index).mp3"))
            #expect(made.status == 0, "\(made.errors)")
            let clip = try AudioClip(path: folder.path("\(index).mp3"))
            #expect(clip.samples.frameCount == half.count)
            joined += clip.left
        }
        #expect(joined.count == whole.count)
        for place in [1_500, 39_000, 39_503, 41_000, 87_000] {
            #expect(shift(joined, whole, at: place) == 0, "at \(place)")
        }
    }

    @Test("A file without a tag has all its frames, to the last")
    func tagless() throws {
        let folder = try TemporaryFolder()
        let source = try write(MPEGTests.noise(2_000_000, seed: 6), "a.wav", in: folder)
        let path = folder.path("a.mp3")
        #expect(try Program.run("lame", ["--quiet", "-V", "4", "-t", source, path]).status == 0)
        let count = try AudioClip(path: path).samples.frameCount
        #expect(count >= 2_000_000 && count < 2_000_000 + 3 * 1_152)
    }

    @Test("Where only iTunSMPB tells delay and length, it is believed")
    func iTunSMPB() throws {
        let folder = try TemporaryFolder()
        let samples = MPEGTests.noise(50_001, seed: 7)
        let source = try write(samples, "a.wav", in: folder)
        #expect(try Program.run("lame", ["--quiet", "-b", "320", "-t", source, folder.path("plain.mp3")]).status == 0)
        let text = " 00000000 00000240 00000000 " + String(format: "%016X", 50_001) + " 00000000"
        let comment =
            [UInt8](repeating: 0, count: 1) + Array("eng".utf8) + Array("iTunSMPB".utf8) + [0] + Array(text.utf8)
        let size = comment.count + 10
        var tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, UInt8(size >> 7), UInt8(size & 0x7F)]
        tag += Array("COMM".utf8) + [0, 0, UInt8(comment.count >> 8), UInt8(comment.count & 0xFF), 0, 0] + comment
        let path = try folder.write("tagged.mp3", tag + (try folder.bytes("plain.mp3")))
        let clip = try AudioClip(path: path)
        #expect(clip.samples.frameCount == 50_001)
        #expect(shift(clip.left, samples, at: 20_000) == 0)
    }

    @Test("Tags, cover art and a file put behind another don't matter")
    func oddFiles() throws {
        let folder = try TemporaryFolder()
        let source = try write(MPEGTests.noise(60_000, seed: 8), "a.wav", in: folder)
        let path = folder.path("a.mp3")
        #expect(try Program.run("lame", ["--quiet", "--tt", "Title", "--tv", "TBPM=128", source, path]).status == 0)
        let plain = try AudioClip(path: path)
        #expect(plain.samples.frameCount == 60_000)
        #expect(plain.metadata.tempo == 128)
        let bytes = try folder.bytes("a.mp3")
        let twice = try AudioClip(path: try folder.write("twice.mp3", bytes + bytes))
        #expect(twice.samples.frameCount > 115_000)
    }

    @Test(
        "A file that was cut off, or has a hole, is played as far as it goes, with what follows the hole, and truncated",
        arguments: Encoder.allCases, [0, 3_000, 30_000])
    func damaged(encoder: Encoder, hole: Int) throws {
        let folder = try TemporaryFolder()
        let samples = MPEGTests.noise(400_000, seed: 11)
        let source = try write(samples, "a.wav", in: folder)
        #expect(try encoder.encode(source, to: folder.path("a.mp3")).status == 0)
        var bytes = try folder.bytes("a.mp3")
        let middle = bytes.count / 2
        if hole == 0 {
            bytes.removeSubrange(middle...)
        } else {
            for index in middle..<middle + hole { bytes[index] = 0 }
        }
        let path = try folder.write("damaged.mp3", bytes)
        let stream = try AudioFileStream(path: path)
        #expect(stream.frameCount == 400_000)
        var left = [Float](repeating: 0, count: 401_000)
        var done = 0
        let error = #expect(throws: AudioFileError.self) {
            try left.withUnsafeMutableBufferPointer { left in
                guard let base = left.baseAddress else { return }
                while case let count = try stream.read(left: base + done, right: base + done, count: 1_000), count > 0 {
                    done += count
                }
            }
        }
        guard case .truncated(_, Int64(done), 400_000) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let lost = hole == 0 ? 200_000 : 400_000 * hole / bytes.count
        #expect(abs(400_000 - lost - done) < 8_000)
        for place in [10_000, 170_000] { #expect(shift(left, samples, at: place) == 0) }
        // What comes behind a hole is there to its end, which the encoder has padded.
        if hole > 0 {
            #expect(shift(Array(left[done - 30_000..<done]), Array(samples.suffix(30_000)), at: 15_000) != nil)
        }
        #expect(throws: AudioFileError.self) { try AudioClip(path: path) }
    }

    @Test("A tag that does not say how long a file is makes none truncated, whatever follows the sound")
    func unsaidLength() throws {
        let folder = try TemporaryFolder()
        let source = try write(MPEGTests.noise(400_000, seed: 12), "a.wav", in: folder)
        #expect(try Encoder.lameVariable.encode(source, to: folder.path("a.mp3")).status == 0)
        var bytes = Array(try folder.bytes("a.mp3"))
        let name = try #require(Data(bytes).range(of: Data("Xing".utf8))?.upperBound)
        // Without its number of frames, what follows that in the tag moves up.
        bytes[name + 3] &= ~1
        bytes.replaceSubrange(name + 4..<name + 148, with: Array(bytes[name + 8..<name + 148]) + [0, 0, 0, 0])
        let path = try folder.write("a.mp3", bytes + Array("APETAGEX".utf8) + [UInt8](repeating: 0, count: 400_000))
        let count = try AudioClip(path: path).samples.frameCount
        #expect(count >= 400_000 && count < 400_000 + 3 * 1_152)
    }

    @Test("A seek is exact to the frame", arguments: Encoder.allCases)
    func seek(encoder: Encoder) throws {
        let folder = try TemporaryFolder()
        let source = try write(MPEGTests.noise(300_000, seed: 9), "a.wav", in: folder)
        #expect(try encoder.encode(source, to: folder.path("a.mp3")).status == 0)
        let whole = try AudioClip(path: folder.path("a.mp3")).left
        let reader = try AudioFileReader(path: folder.path("a.mp3"))
        var samples = [Float](repeating: 0, count: 2_000)
        for frame in [200_001, 0, 77, 299_999, 123_456, 5_000] {
            #expect(reader.seek(to: Int64(frame)))
            let count = samples.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { reader.read(into: $0, frames: 2_000) } ?? 0
            }
            #expect(count == min(2_000, 300_000 - frame))
            let worst = (0..<count).map { abs(samples[$0] - whole[frame + $0]) }.max() ?? 1
            #expect(worst < 1e-4, "\(frame): \(worst)")
        }
    }

    @Test("A tag with numbers that no file has is passed over")
    func absurdTag() throws {
        let folder = try TemporaryFolder()
        let source = try write(MPEGTests.noise(20_000, seed: 4), "a.wav", in: folder)
        #expect(try Program.run("lame", ["--quiet", "-b", "128", "-t", source, folder.path("plain.mp3")]).status == 0)
        let text = " 00000000 7FFFFFFFFFFFFFFF 00000000 7FFFFFFFFFFFFFFF 00000000"
        let comment =
            [UInt8](repeating: 0, count: 1) + Array("eng".utf8) + Array("iTunSMPB".utf8) + [0] + Array(text.utf8)
        let size = comment.count + 10
        var tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, UInt8(size >> 7), UInt8(size & 0x7F)]
        tag += Array("COMM".utf8) + [0, 0, UInt8(comment.count >> 8), UInt8(comment.count & 0xFF), 0, 0] + comment
        let path = try folder.write("tagged.mp3", tag + (try folder.bytes("plain.mp3")))
        #expect(try AudioClip(path: path).samples.frameCount >= 20_000)
    }

    @Test("FLAC behind an ID3 tag is FLAC; FLAC that does not say how long it is is read to its end")
    func flac() throws {
        let folder = try TemporaryFolder()
        let codes = WaveDecodingTests.codes(16, count: 30_001)
        let wave = WaveFile(codes, encoding: .signed16).bytes
        let source = try folder.write("a.wav", wave)
        #expect(try Program.run("flac", ["-s", source, "-o", folder.path("a.flac")]).status == 0)
        let tagged = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 20)
        let path = try folder.write("tagged.flac", tagged + (try folder.bytes("a.flac")))
        #expect(try AudioClip(path: path).left == codes.map { Float($0 / 32_768) })
        // The total is the 36 bits from the 22nd byte's middle on; 0 means unknown.
        var unknown = try folder.bytes("a.flac")
        unknown[21] &= 0xF0
        for index in 22..<26 { unknown[index] = 0 }
        let stream = try AudioFileStream(path: try folder.write("unknown.flac", unknown))
        #expect(stream.frameCount == 30_001)
    }

    @Test("What only looks like MP3 is refused", arguments: ["ID3 and nothing else", "\u{FF}\u{FB}\u{90}x"])
    func refusals(text: String) throws {
        let folder = try TemporaryFolder()
        let head = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        let path = try folder.write("a.mp3", head + [UInt8](repeating: 0x55, count: 5_000))
        #expect(throws: AudioFileError.self) { try AudioClip(path: path) }
    }
}
