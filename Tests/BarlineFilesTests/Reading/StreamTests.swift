import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineFiles

/// Reading piece by piece, from anywhere.
@Suite("Streaming a file")
struct StreamTests {
    /// A file of 150 000 frames of stereo noise in a format.
    private func file(_ ending: String, in folder: TemporaryFolder) throws -> String {
        var random = TestRandom(seed: 3)
        let codes = (0..<300_000).map { _ in (random.amplitude() * 8_000).rounded() }
        let wave = try folder.write("a.wav", WaveFile(codes, encoding: .signed16, channels: 2).bytes)
        let path = folder.path("a.\(ending)")
        let made: Program.Outcome
        switch ending {
        case "wav": return wave
        case "flac": made = try Program.run("flac", ["-s", wave, "-o", path])
        case "ogg": made = try Program.run("oggenc", ["-Q", wave, "-o", path])
        case "opus": made = try Program.run("opusenc", ["--quiet", wave, path])
        default: made = try Program.run("sox", [wave, path])
        }
        #expect(made.status == 0, "\(made.errors)")
        return path
    }

    private func read(_ stream: AudioFileStream, _ count: Int) throws -> (left: [Float], right: [Float]) {
        var left = [Float](repeating: .nan, count: count)
        var right = left
        var done = 0
        while done < count {
            let frames = try left.withUnsafeMutableBufferPointer { left in
                try right.withUnsafeMutableBufferPointer { right in
                    guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return 0 }
                    return try stream.read(
                        left: leftBase + done, right: rightBase + done, count: min(777, count - done))
                }
            }
            if frames == 0 { break }
            done += frames
        }
        return (Array(left[..<done]), Array(right[..<done]))
    }

    @Test("Pieces of their own are the file, and after the last there is none")
    func pieces() throws {
        let folder = try TemporaryFolder()
        let path = try file("wav", in: folder)
        let whole = try read(try AudioFileStream(path: path), 150_000)
        let stream = try AudioFileStream(path: path)
        var (left, right): ([Float], [Float]) = ([], [])
        while let piece = try stream.read(40_000) {
            #expect(piece.frameCount == min(40_000, 150_000 - left.count) && piece.sampleRate == stream.sampleRate)
            left += piece.samples(of: 0)
            right += piece.samples(of: 1)
        }
        #expect(left == whole.left && right == whole.right)
        #expect(try stream.read(1) == nil)
    }

    @Test(
        "What is there of a file that was cut off is read, and then it is named as truncated",
        arguments: ["wav", "aiff", "flac", "ogg", "opus"])
    func cutOff(ending: String) throws {
        let folder = try TemporaryFolder()
        let whole = try read(try AudioFileStream(path: try file(ending, in: folder)), 150_000)
        let bytes = try folder.bytes("a.\(ending)")
        let stream = try AudioFileStream(path: try folder.write("cut", Array(bytes.prefix(bytes.count * 6 / 10))))
        var left: [Float] = []
        let error = #expect(throws: AudioFileError.self) {
            while case let piece = try read(stream, 777), !piece.left.isEmpty { left += piece.left }
        }
        guard case .truncated(_, let frames, let expected) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        // How much an Ogg file has lost it does not say.
        let isOgg = ["ogg", "opus"].contains(ending)
        #expect(expected == (isOgg ? frames + 1 : 150_000) && error?.problem.contains(" of ") == !isOgg)
        #expect(frames > 40_000 && (0..<777).contains(Int(frames) - left.count))
        #expect(left == Array(whole.left.prefix(left.count)))
        if isOgg || ending == "flac" { return }
        try stream.seek(to: 149_000)
        #expect(throws: AudioFileError.self) { try read(stream, 10) }
    }

    @Test("A seek is exact to the frame in every format", arguments: ["wav", "aiff", "flac", "ogg"])
    func seek(ending: String) throws {
        let folder = try TemporaryFolder()
        let path = try file(ending, in: folder)
        let whole = try read(try AudioFileStream(path: path), 200_000)
        #expect(whole.left.count == 150_000)
        let stream = try AudioFileStream(path: path)
        for frame in [100_001, 0, 3, 149_999, 4_096, 88_777] {
            try stream.seek(to: Int64(frame))
            let piece = try read(stream, 2_000)
            let end = min(150_000, frame + 2_000)
            let isLeft = piece.left == Array(whole.left[frame..<end])
            let isRight = piece.right == Array(whole.right[frame..<end])
            #expect(isLeft && isRight, "\(ending) at \(frame)")
        }
    }

    @Test("A seek in Opus is exact to the frame; the codec itself needs 80 ms to converge")
    func seekInOpus() throws {
        let folder = try TemporaryFolder()
        let path = try file("opus", in: folder)
        let whole = try read(try AudioFileStream(path: path), 200_000)
        let stream = try AudioFileStream(path: path)
        for frame in [100_001, 5_000, 88_777] {
            try stream.seek(to: Int64(frame))
            let piece = try read(stream, 20_000)
            // RFC 7845 asks a decoder to run 3840 frames ahead of a seek.
            let worst = (3_840..<20_000).map { abs(piece.left[$0] - whole.left[frame + $0]) }.max() ?? 1
            #expect(worst < 1e-3, "\(frame): \(worst)")
        }
    }

    @Test("Beyond the end there is nothing, and the way back is open")
    func beyondTheEnd() throws {
        let folder = try TemporaryFolder()
        let stream = try AudioFileStream(path: try file("wav", in: folder))
        try stream.seek(to: 1_000_000)
        #expect(try read(stream, 10).left.isEmpty)
        try stream.seek(to: 149_990)
        #expect(try read(stream, 100).left.count == 10)
    }

    @Test("Mono goes to both sides, more channels are folded as for clips")
    func channels() throws {
        let folder = try TemporaryFolder()
        for count in [1, 2, 6] {
            var random = TestRandom(seed: UInt64(count))
            let samples = (0..<3_000 * count).map { _ in 0.3 * random.amplitude() }
            let path = try folder.write("\(count).wav", WaveFile(samples, channels: count).bytes)
            let stream = try read(try AudioFileStream(path: path), 3_000)
            let clip = try AudioClip(path: path).samples
            #expect((0..<3_000).allSatisfy { stream.left[$0] == clip.left[$0] && stream.right[$0] == clip.right[$0] })
        }
    }

    @Test("A file that is cut, or has a sample that is no number, says so")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let whole = WaveFile([Double](repeating: 0.1, count: 5_000)).bytes
        let cut = try folder.write("cut.wav", Array(whole.prefix(9_000)))
        #expect(throws: AudioFileError.self) { try read(try AudioFileStream(path: cut), 5_000) }
        let broken = try folder.write("nan.wav", WaveFile([0.1, .nan, 0.1]).bytes)
        let stream = try AudioFileStream(path: broken)
        #expect(throws: AudioFileError.notFinite(path: broken, frame: 1)) { try read(stream, 3) }
    }

    @Test("There is no frame before the first one, nothing is read of no frames, and of many those that are there")
    func edges() throws {
        let folder = try TemporaryFolder()
        let path = try file("wav", in: folder)
        let reader = try AudioFileReader(path: path)
        #expect(!reader.seek(to: -1) && !reader.seek(to: .min) && reader.seek(to: 0))
        let stream = try AudioFileStream(path: path)
        #expect(throws: AudioFileError.self) { try stream.seek(to: -1) }
        try stream.seek(to: 0)
        #expect(try stream.read(0) == nil && stream.read(-1) == nil)
        #expect(try stream.read(.max).map { Int64($0.frameCount) } == reader.frameCount)
    }
}
