import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineFiles

/// Files that are written.
@Suite("Writing files")
struct WriterTests {
    private static func noise(_ count: Int, seed: UInt64) -> [Float] {
        var random = TestRandom(seed: seed)
        return (0..<count).map { _ in Float(random.amplitude()) }
    }

    /// Writes both channels in pieces of `pieces` frames.
    private func write(
        _ path: String, _ left: [Float], _ right: [Float], format: SampleFormat? = nil, rate: Double = 48_000,
        pieces: Int = 1000
    ) throws {
        let writer = try AudioFileWriter(
            path: path, sampleRate: try #require(SampleRate(rate)), format: format)
        for start in stride(from: 0, to: left.count, by: pieces) {
            let end = min(left.count, start + pieces)
            try writer.write(
                left: Array(left[start..<end]), right: Array(right[start..<end]), frames: end - start)
        }
        try writer.finish()
    }

    @Test("32-bit float comes back bit for bit, beyond full scale too")
    func float() throws {
        let folder = try TemporaryFolder()
        let left = [0, -0.0, 1, -1, 3.5, -1e20, 1e-30] + WriterTests.noise(9_993, seed: 1)
        let right = WriterTests.noise(10_000, seed: 2)
        try write(folder.path("a.wav"), left, right, rate: 44_100)
        let contents = try WaveContents(path: folder.path("a.wav"))
        #expect(contents.container == "RIFF")
        #expect(contents.formatTag == 3 && contents.bits == 32)
        #expect(contents.channelCount == 2 && contents.sampleRate == 44_100)
        #expect(contents.channels[0].map(\.bitPattern) == left.map(\.bitPattern))
        #expect(contents.channels[1] == right)
        let clip = try AudioClip(path: folder.path("a.wav"))
        #expect(clip.left == left && clip.right == right)
    }

    @Test("A mono file has the left channel", arguments: [SampleFormat.float32, .integer24, .integer16])
    func mono(format: SampleFormat) throws {
        let folder = try TemporaryFolder()
        let samples = [Float](repeating: 1.5, count: 3) + WriterTests.noise(4_997, seed: 4)
        let writer = try AudioFileWriter(
            path: folder.path("a.wav"), sampleRate: .standard, format: format, channels: 1)
        for start in stride(from: 0, to: 5_000, by: 1_250) {
            let piece = Array(samples[start..<start + 1_250])
            try writer.write(left: piece, right: WriterTests.noise(1_250, seed: 5), frames: 1_250)
        }
        try writer.finish()
        let contents = try WaveContents(path: folder.path("a.wav"))
        #expect(contents.channelCount == 1 && contents.channels[0].count == 5_000)
        // Dither is less than two codes.
        let scale: Float = format == .integer16 ? 0x1p15 : format == .integer24 ? 0x1p23 : 1
        #expect(
            zip(contents.channels[0], samples).allSatisfy { written, sample in
                format == .float32 ? written == sample : abs(written - scale * min(sample, 1)) <= 2
            })
        #expect(writer.overs.count == 3)
    }

    @Test("A file is read by other programs", arguments: [SampleFormat.float32, .integer24, .integer16])
    func sox(format: SampleFormat) throws {
        let folder = try TemporaryFolder()
        try write(
            folder.path("a.wav"), WriterTests.noise(5_000, seed: 1), WriterTests.noise(5_000, seed: 2), format: format)
        let info = try Program.run("sox", ["--i", folder.path("a.wav")])
        #expect(info.status == 0)
        #expect(info.output.contains("= 5000 samples"), "\(info.output)")
        #expect(info.output.contains("Channels       : 2"))
    }

    @Test("FLAC holds the same codes as WAV", arguments: [SampleFormat.integer24, .integer16])
    func flac(format: SampleFormat) throws {
        let folder = try TemporaryFolder()
        let left = WriterTests.noise(20_000, seed: 1)
        let right = WriterTests.noise(20_000, seed: 2)
        try write(folder.path("a.wav"), left, right, format: format)
        try write(folder.path("a.flac"), left, right, format: format)
        let decoded = try Program.run("flac", ["-s", "-d", folder.path("a.flac"), "-o", folder.path("b.wav")])
        #expect(decoded.status == 0, "\(decoded.errors)")
        let wave = try WaveContents(path: folder.path("a.wav"))
        let flac = try WaveContents(path: folder.path("b.wav"))
        #expect(flac.bits == wave.bits && flac.channels == wave.channels)
    }

    @Test("Without a format, WAV is float and FLAC is 24 bit")
    func defaults() throws {
        let folder = try TemporaryFolder()
        try write(folder.path("a.WAV"), [0.5], [0.5])
        try write(folder.path("a.flac"), [0.5], [0.5])
        #expect(try WaveContents(path: folder.path("a.WAV")).bits == 32)
        #expect(try Program.run("sox", ["--i", "-b", folder.path("a.flac")]).output == "24\n")
    }

    @Test(
        "The same samples are the same bytes, in pieces of any length and at any hour",
        arguments: [("wav", SampleFormat.float32), ("wav", .integer24), ("wav", .integer16), ("flac", .integer24)])
    func determinism(ending: String, format: SampleFormat) throws {
        let folder = try TemporaryFolder()
        let left = WriterTests.noise(30_000, seed: 1)
        let right = WriterTests.noise(30_000, seed: 2)
        try write(folder.path("a.\(ending)"), left, right, format: format, pieces: 30_000)
        Thread.sleep(forTimeInterval: 1.1)
        try write(folder.path("b.\(ending)"), left, right, format: format, pieces: 77)
        #expect(try folder.bytes("a.\(ending)") == folder.bytes("b.\(ending)"))
    }

    @Test("A file has its name when it is finished, and replaces what was there as a whole")
    func atomic() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.wav", "what was there")
        let writer = try AudioFileWriter(path: path, sampleRate: .standard)
        try writer.write(left: [0.5], right: [0.25], frames: 1)
        #expect(try folder.text("a.wav") == "what was there")
        try writer.finish()
        #expect(try WaveContents(path: path).channels == [[0.5], [0.25]])
        #expect(try folder.names() == ["a.wav"])
        try writer.finish()
        #expect(throws: AudioFileError.self) { try writer.write(left: [0.5], right: [0.25], frames: 1) }
        #expect(try WaveContents(path: path).frameCount == 1)
    }

    @Test("Nothing is left of a file that is given up")
    func abandoned() throws {
        let folder = try TemporaryFolder()
        do {
            let writer = try AudioFileWriter(path: folder.path("a.wav"), sampleRate: .standard)
            try writer.write(left: [0.5], right: [0.25], frames: 1)
            #expect(try folder.names().count == 1)
        }
        #expect(try folder.names().isEmpty)
    }

    @Test("A file without frames is a file")
    func empty() throws {
        let folder = try TemporaryFolder()
        try AudioFileWriter(path: folder.path("a.wav"), sampleRate: .standard).finish()
        #expect(try WaveContents(path: folder.path("a.wav")).frameCount == 0)
    }

    @Test("Names and formats that can't be written are refused, and nothing is left")
    func refused() throws {
        let folder = try TemporaryFolder()
        for name in ["a.mp3", "a", "wav", "a.wav.txt"] {
            #expect(
                throws: AudioFileError.unsupportedOutput(
                    path: folder.path(name), reason: "the name must end in .wav or .flac")
            ) { _ = try AudioFileWriter(path: folder.path(name), sampleRate: .standard) }
        }
        #expect(throws: AudioFileError.self) {
            _ = try AudioFileWriter(path: folder.path("a.flac"), sampleRate: .standard, format: .float32)
        }
        #expect(throws: AudioFileError.self) {
            _ = try AudioFileWriter(path: folder.path("nowhere/a.wav"), sampleRate: .standard)
        }
        #expect(try folder.names().isEmpty)
    }

    @Test("A name that is taken by a folder or a pipe is an error, and both stay what they are")
    func takenName() throws {
        let folder = try TemporaryFolder()
        try folder.folder("a.wav")
        mkfifo(folder.path("b.wav"), 0o600)
        for name in ["a.wav", "b.wav"] {
            #expect(throws: AudioFileError.self) {
                _ = try AudioFileWriter(path: folder.path(name), sampleRate: .standard)
            }
        }
        #expect(try folder.names() == ["a.wav", "b.wav"])
        var status = stat()
        #expect(stat(folder.path("b.wav"), &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }
}
