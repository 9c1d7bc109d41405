import BarlineTestSupport
import BarlineTime
import Foundation
import Synchronization
import Testing

@testable import BarlineFiles

/// Files that are none, or broken: the right error, at once.
@Suite("Bad input", .timeLimit(.minutes(10)))
struct BadInputTests {
    private func error(_ bytes: [UInt8], _ name: String = "a.wav") throws -> AudioFileError {
        let folder = try TemporaryFolder()
        let path = try folder.write(name, bytes)
        return try #require(throws: AudioFileError.self) { try AudioClip(path: path) }
    }

    private static let sound = WaveFile((0..<4000).map { Double($0 % 100) / 100 }, encoding: .float32)

    @Test("Why a file is no audio is told, whatever other threads open meanwhile")
    func reasons() throws {
        let folder = try TemporaryFolder()
        let good = folder.path("good.flac")
        let file = try AudioFileWriter(path: good, sampleRate: .standard, format: nil)
        try file.write(left: [0.5, -0.5], right: [0, 0], frames: 2)
        try file.finish()
        let bad = try folder.write("bad.wav", "no audio")
        var bytes = Self.sound.bytes
        // No channels.
        bytes.replaceSubrange(22..<24, with: [0, 0])
        let mute = try folder.write("mute.wav", bytes)
        let paths = [good, bad, mute]
        let reasons = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: 4_000) { turn in
            do {
                _ = try AudioFileReader(path: paths[turn % 3])
            } catch {
                reasons.withLock { _ = $0.insert("\(error)") }
            }
        }
        #expect(
            reasons.withLock { $0 } == [
                "\(bad): is not audio that can be read: Format not recognised",
                "\(mute): is not audio that can be read: Channel count is zero",
            ])
    }

    @Test("A path with a NUL is none, whatever is named before it")
    func nulInPath() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.wav", Self.sound.bytes)
        let longer = path + "\0.mp3"
        #expect(throws: AudioFileError.cannotOpen(path: longer, reason: "its path has a NUL")) {
            try AudioFileReader(path: longer)
        }
        #expect(throws: AudioFileError.self) {
            try AudioFileWriter(path: path + "\0/b.wav", sampleRate: .standard, format: nil)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(Self.sound.bytes))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.wav"])
    }

    @Test("A path that leads nowhere, or to what is no file")
    func paths() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        #expect(throws: AudioFileError.cannotOpen(path: folder.path("none"), reason: "No such file or directory")) {
            try AudioClip(path: folder.path("none"))
        }
        for (path, kind) in [
            (folder.path, "a folder"), (folder.path("pipe"), "a pipe"), ("/dev/zero", "a device"),
            ("/dev/null", "a device"),
        ] {
            #expect(throws: AudioFileError.notAFile(path: path, kind: kind)) { try AudioClip(path: path) }
        }
    }

    @Test("A file without bytes or without frames is empty")
    func empty() throws {
        for bytes in [[], WaveFile([]).bytes, AiffFile([]).bytes] {
            guard case .empty = try error(bytes) else {
                Issue.record("\(bytes.count) bytes")
                continue
            }
        }
    }

    @Test("What is no audio is said to be none")
    func notAudio() throws {
        var random = TestRandom(seed: 1)
        let noise = (0..<10_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let texts = [Array("To be, or not to be".utf8), Array("RIFF".utf8), WaveFile.riff([]), noise, [0]]
        for bytes in texts + [WaveFile.riff(BadInputTests.sound.format)] {
            let error = try error(bytes)
            guard case .notAudio = error else {
                Issue.record("\(bytes.prefix(20)): \(error)")
                continue
            }
            #expect(!error.problem.contains("\n") && !error.problem.hasSuffix("."))
        }
    }

    @Test("A WAV or AIFF file that is cut is truncated", arguments: [0.5, 0.99])
    func truncated(share: Double) throws {
        let wave = BadInputTests.sound.bytes
        let aiff = AiffFile((0..<4000).map { $0 % 100 }).bytes
        for bytes in [wave, aiff, Array(wave.dropLast(1)), Array(aiff.dropLast(1))] {
            let error = try error(Array(bytes.prefix(Int(Double(bytes.count) * share))))
            guard case .truncated(_, let frames, let expected) = error else {
                Issue.record("\(error)")
                continue
            }
            #expect(frames < expected && frames > 1000)
        }
    }

    @Test("What a cut file should have is said in frames, of any sample format", arguments: SampleFormat.allCases)
    func expectedFrames(format: SampleFormat) throws {
        let folder = try TemporaryFolder()
        let sound = [Float](repeating: 0.25, count: 14_433)
        let writer = try AudioFileWriter(path: folder.path("whole.wav"), sampleRate: .standard, format: format)
        try sound.withUnsafeBufferPointer { samples in
            let left = try #require(samples.baseAddress)
            try writer.write(left: left, right: left, frames: sound.count)
        }
        try writer.finish()
        let whole = try folder.bytes("whole.wav")
        for length in [10_000, whole.count / 2 + 1, whole.count - 1] {
            let error = try error(Array(whole.prefix(length)))
            guard case .truncated(_, let frames, let expected) = error else {
                Issue.record("\(error)")
                continue
            }
            #expect(frames < expected && expected == 14_433)
        }
    }

    @Test(
        "A compressed file that is cut is truncated",
        arguments: [
            ["flac", "-s", "IN", "-o", "OUT"], ["oggenc", "-Q", "IN", "-o", "OUT"],
            ["opusenc", "--quiet", "IN", "OUT"],
        ])
    func truncatedCompressed(command: [String]) throws {
        let folder = try TemporaryFolder()
        let (path, _) = try OtherFormatTests.tones(folder, rate: 48_000, frames: 96_000)
        let arguments = command.dropFirst().map { $0 == "IN" ? path : $0 == "OUT" ? folder.path("encoded") : $0 }
        let encoded = try Program.run(command[0], Array(arguments))
        #expect(encoded.status == 0, "\(encoded.errors)")
        let bytes = try folder.bytes("encoded")
        let error = try error(Array(bytes.prefix(bytes.count * 6 / 10)))
        guard case .truncated = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("A sample that is no finite number is named", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(value: Double) throws {
        var file = WaveFile([Double](repeating: 0.5, count: 200_000), channels: 2)
        file.samples[2 * 70_001 + 1] = value
        guard case .notFinite(_, let frame) = try error(file.bytes) else {
            Issue.record("not found")
            return
        }
        #expect(frame == 70_001)
    }

    @Test("Rates and numbers of channels that can't be played are refused")
    func formats() throws {
        for rate in [0, 1, 7999, 192_001, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            let error = try error(WaveFile([0, 0, 0], sampleRate: rate).bytes)
            switch error {
            case .unsupportedSampleRate, .notAudio: break
            default: Issue.record("\(rate) Hz: \(error)")
            }
        }
        for count in [0, 9, 255, 1025, 65_535] {
            let error = try error(WaveFile([Double](repeating: 0, count: max(9, count)), channels: count).bytes)
            switch error {
            case .unsupportedChannelCount(_, let found): #expect(found == count)
            case .notAudio, .empty: #expect(count == 0 || count > 1024)
            default: Issue.record("\(count) channels: \(error)")
            }
        }
    }

    @Test("A header that promises more than there is takes no memory and no time")
    func hugePromises() throws {
        let started = Date()
        let file = BadInputTests.sound
        let huge = Bytes.chunk("data", file.data, claiming: 0x7FFF_0000)
        let error = try error(WaveFile.riff(file.format + huge))
        guard case .truncated = error else {
            Issue.record("\(error)")
            return
        }
        let fields = Bytes.chunk("fmt ", Array(file.format.dropFirst(8)), claiming: 0x7FFF_FFF0)
        _ = try self.error(WaveFile.riff(fields + Bytes.chunk("data", file.data)))
        _ = try self.error(AiffHeader.promising(frames: 0xFFFF_FFFF))
        #expect(-started.timeIntervalSinceNow < 60)
    }

    @Test("A FLAC header of 2^36 frames takes no memory and no time")
    func hugeFLAC() throws {
        let folder = try TemporaryFolder()
        let (path, _) = try OtherFormatTests.tones(folder, rate: 48_000, frames: 9600)
        #expect(try Program.run("flac", ["-s", path, "-o", folder.path("a.flac")]).status == 0)
        var bytes = try folder.bytes("a.flac")
        // The low 36 bits of the STREAMINFO's eight bytes at 18.
        bytes[21] |= 0x0F
        for index in 22..<26 { bytes[index] = 0xFF }
        let started = Date()
        let error = try error(bytes, "b.flac")
        guard case .truncated(_, let frames, let expected) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(frames == 9600 && expected == 1 << 36 - 1)
        #expect(-started.timeIntervalSinceNow < 60)
    }

    @Test("A quarter of a gigabyte of nothing after a header is given up on soon")
    func endlessChunks() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.wav", WaveFile.riff(BadInputTests.sound.format))
        #expect(truncate(path, 1 << 28) == 0)
        let started = Date()
        #expect(throws: AudioFileError.self) { try AudioClip(path: path) }
        #expect(-started.timeIntervalSinceNow < 60)
    }

    @Test("A header with any byte changed is played or refused, and ends")
    func changedBytes() throws {
        let folder = try TemporaryFolder()
        let wave = Array(BadInputTests.sound.bytes.prefix(1000))
        let aiff = Array(AiffFile((0..<400).map { $0 }).bytes)
        for (name, bytes) in [("a.wav", wave), ("a.aiff", aiff)] {
            for offset in 0..<60 {
                for value in [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8] {
                    var changed = bytes
                    changed[offset] = value
                    let path = try folder.write(name, changed)
                    if let clip = try? AudioClip(path: path) { #expect(clip.samples.frameCount > 0) }
                }
            }
        }
    }
}

/// AIFF files whose header lies.
enum AiffHeader {
    /// A file of four frames that says it has `frames`.
    static func promising(frames: Int) -> [UInt8] {
        var bytes = AiffFile([1, 2, 3, 4]).bytes
        bytes.replaceSubrange(22..<26, with: Bytes.big(frames, 4))
        let sound = bytes.count - 20
        bytes.replaceSubrange(sound..<sound + 4, with: Bytes.big(0x7FFF_0000, 4))
        return bytes
    }
}
