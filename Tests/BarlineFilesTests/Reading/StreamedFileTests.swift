import BarlineDSP
import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineFiles

/// Files that are read again as they are played.
@Suite("Clips that are read from their files")
struct StreamedFileTests {
    private static let frames = 2_200_000

    /// A file of noise that is long enough to be streamed.
    private func file(_ ending: String, channels: Int = 2, in folder: TemporaryFolder) throws -> String {
        var random = TestRandom(seed: 21)
        let codes = (0..<channels * StreamedFileTests.frames).map { _ in (random.amplitude() * 9_000).rounded() }
        let wave = try folder.write("a.wav", WaveFile(codes, encoding: .signed16, channels: channels).bytes)
        let path = folder.path("b.\(ending)")
        let made: Program.Outcome
        switch ending {
        case "wav": return wave
        case "flac": made = try Program.run("flac", ["-s", "-0", wave, "-o", path])
        case "ogg": made = try Program.run("oggenc", ["-Q", wave, "-o", path])
        case "mp3": made = try Program.run("lame", ["--quiet", "-b", "128", "-f", wave, path])
        default: made = try Program.run("sox", [wave, path])
        }
        #expect(made.status == 0, "\(made.errors)")
        return path
    }

    private func isSame(_ samples: SampleBuffer, _ whole: SampleBuffer, _ range: Range<Int>) -> Bool {
        var next = range.lowerBound
        var isSame = true
        samples.forEachPiece(of: range, frames: 7_777) { left, right, count in
            for index in 0..<count where isSame {
                isSame = left[index] == whole.left[next + index] && right[index] == whole.right[next + index]
            }
            next += count
        }
        return isSame && next == range.upperBound
    }

    @Test(
        "Read from anywhere they have the samples that they have in memory, bit for bit",
        arguments: [("wav", 2), ("wav", 1), ("wav", 6), ("aiff", 2), ("flac", 2), ("ogg", 2)])
    func samples(ending: String, channels: Int) async throws {
        let folder = try TemporaryFolder()
        let path = try file(ending, channels: channels, in: folder)
        let whole = try AudioClip(path: path).samples
        let clip = try await AudioClipLoader(streamedOver: 40).loadForTrack(path)
        #expect(clip.samples.partial != nil)
        #expect(clip.samples.frameCount == whole.frameCount && clip.samples.channelCount == whole.channelCount)
        #expect(clip.samples.sampleRate == whole.sampleRate)
        for start in [1_234_567, 0, 2_000_001, 16_384, 900_000, 917_540, 2_190_000] {
            let range = start..<min(whole.frameCount, start + 20_000)
            #expect(isSame(clip.samples, whole, range), "from \(start)")
        }
        #expect(isSame(clip.samples.whole, whole, 0..<whole.frameCount))
        let peak = (16_384..<32_768).reduce(Float(0)) { max($0, abs(whole.left[$1]), abs(whole.right[$1])) }
        #expect(clip.samples.partial?.peak(in: 16_384..<32_768) == peak)
    }

    @Test("What is short, or can't be read from anywhere to the bit, is in memory", arguments: ["mp3", "wav"])
    func inMemory(ending: String) async throws {
        let folder = try TemporaryFolder()
        let path = try file(ending, in: folder)
        let loader = AudioClipLoader(streamedOver: ending == "wav" ? 46 : 1)
        #expect(try await loader.loadForTrack(path).samples.partial == nil)
        #expect(try await AudioClipLoader(streamedOver: 1).load(path).samples.partial == nil)
    }

    @Test("For a render what is not compressed is not in memory", arguments: [("wav", true), ("flac", false)])
    func rendering(ending: String, isStreamed: Bool) async throws {
        let folder = try TemporaryFolder()
        let clip = try await AudioClipLoader.rendering.loadForTrack(file(ending, in: folder))
        #expect((clip.samples.partial != nil) == isStreamed)
    }

    @Test("What a render does not read before it plays has the same samples and peaks", arguments: [1, 2])
    func unread(channels: Int) async throws {
        let folder = try TemporaryFolder()
        let path = try file("wav", channels: channels, in: folder)
        let whole = try AudioClip(path: path).samples
        let samples = try await AudioClipLoader.rendering.loadForTrack(path).samples
        let partial = try #require(samples.partial)
        #expect(samples.frameCount == whole.frameCount && samples.channelCount == channels)
        #expect(isSame(samples, whole, 1_234_567..<1_300_000))
        for range in [0..<whole.frameCount, 5..<40_000, 2_190_000..<whole.frameCount] {
            let peak = range.reduce(Float(0)) { max($0, abs(whole.left[$1]), abs(whole.right[$1])) }
            #expect(partial.peak(in: range) == peak)
            for level in [0, peak.nextDown, peak, peak.nextUp, 1, 2] {
                #expect(partial.hasPeak(in: range) { $0 >= level } == (peak >= level), "\(level) in \(range)")
            }
        }
    }

    @Test("A file that is cut off, or has a sample that is no number, is refused as ever")
    func badFiles() async throws {
        let folder = try TemporaryFolder()
        let bytes = try FileManager.default.contents(atPath: file("wav", in: folder)).map(Array.init) ?? []
        let cut = try folder.write("cut.wav", Array(bytes.prefix(bytes.count - 400)))
        for loader in [AudioClipLoader(streamedOver: 1), .rendering] {
            await #expect(throws: AudioFileError.self) { try await loader.loadForTrack(cut) }
        }
        var samples = [Double](repeating: 0.1, count: StreamedFileTests.frames)
        samples[1_700_000] = .nan
        let broken = try folder.write("nan.wav", WaveFile(samples).bytes)
        for loader in [AudioClipLoader(streamedOver: 1), .rendering] {
            let error = await #expect(throws: AudioFileError.self) { try await loader.loadForTrack(broken) }
            #expect(error == .notFinite(path: broken, frame: 1_700_000))
        }
    }
}
