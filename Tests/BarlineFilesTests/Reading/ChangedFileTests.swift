import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineFiles

/// Files that somebody writes to while they are read.
@Suite("Files that are changed while they are read")
struct ChangedFileTests {
    private static let frames = 40_000
    private static let header = 94

    private let folder: TemporaryFolder
    private var path: String { folder.path("a.wav") }

    init() throws {
        folder = try TemporaryFolder()
        let samples = (0..<ChangedFileTests.frames).map { Float($0) / 65_536 }
        try ChangedFileTests.write(samples, path)
        // A change within a clock tick of the file system is none.
        Thread.sleep(forTimeInterval: 0.03)
    }

    private static func write(_ samples: [Float], _ path: String, rate: Double = 48_000) throws {
        let file = try TakeFile(path: path, sampleRate: SampleRate(rate) ?? .standard)
        try samples.withUnsafeBufferPointer { try file.write(left: $0, right: $0) }
        try file.close()
    }

    private func read(_ stream: AudioFileStream, _ count: Int) throws -> [Float] {
        var left = [Float](repeating: 0, count: count)
        var right = left
        var done = 0
        while done < count {
            let read = try left.withUnsafeMutableBufferPointer { left in
                try right.withUnsafeMutableBufferPointer { right in
                    guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
                    return try stream.read(left: left + done, right: right + done, count: min(1_000, count - done))
                }
            }
            if read == 0 { break }
            done += read
        }
        return Array(left[..<done])
    }

    private func overwrite(_ bytes: [UInt8], at offset: Int) throws {
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    private func expectRamp(_ samples: [Float], from frame: Int, _ count: Int) {
        #expect(samples == (frame..<frame + count).map { Float($0) / 65_536 })
    }

    @Test("Written over with what is no sound, nothing of it is given", arguments: UInt64(1)...6)
    func garbage(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let identity = try #require(FileIdentity(path))
        let stream = try AudioFileStream(path: path)
        expectRamp(try read(stream, 10_000), from: 0, 10_000)
        let garbage = (0..<8 * 25_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        try overwrite(garbage, at: ChangedFileTests.header + 8 * 12_000)
        var given: [Float] = []
        #expect(throws: AudioFileError.self) { given = try read(stream, 30_000) }
        #expect(given.allSatisfy { abs($0) <= 4 })
        // So it is for who opens it anew where it was known before: at a loop's start, after a seek.
        let again = try AudioFileStream(path: path, since: identity)
        try again.seek(to: 11_500)
        expectRamp(try read(again, 500), from: 11_500, 500)
        #expect(throws: AudioFileError.self) { _ = try read(again, 1_000) }
    }

    @Test("Cut off, it ends there, and is named as truncated")
    func truncated() throws {
        let stream = try AudioFileStream(path: path)
        expectRamp(try read(stream, 10_000), from: 0, 10_000)
        #expect(truncate(path, off_t(ChangedFileTests.header + 8 * 15_000)) == 0)
        expectRamp(try read(stream, 5_000), from: 10_000, 5_000)
        #expect(throws: AudioFileError.truncated(path: path, frames: 15_000, expected: 40_000)) {
            try read(stream, 1_000)
        }
    }

    @Test("Another file in its place is not mixed with it")
    func replaced() throws {
        let stream = try AudioFileStream(path: path)
        expectRamp(try read(stream, 10_000), from: 0, 10_000)
        try ChangedFileTests.write([Float](repeating: 0.5, count: 90_000), folder.path("b.wav"))
        #expect(rename(folder.path("b.wav"), path) == 0)
        expectRamp(try read(stream, 100_000), from: 10_000, 30_000)
    }

    @Test("A stem stays what it was where another file takes its name, or none, in each reading of it")
    func replacedStem() throws {
        let stem = try StemFile(path: path)
        func read(from frame: Int) throws -> [Float] {
            let reader = try stem.open()
            try reader.seek(to: Int64(frame))
            var left = [Float](repeating: 0, count: 1_000)
            var right = left
            var done = 0
            while done < 1_000 {
                let count = try left.withUnsafeMutableBufferPointer { left in
                    try right.withUnsafeMutableBufferPointer { right in
                        let (left, right) = (try #require(left.baseAddress), try #require(right.baseAddress))
                        return try reader.read(left: left + done, right: right + done, count: 1_000 - done)
                    }
                }
                if count == 0 { break }
                done += count
            }
            return Array(left[..<done])
        }
        expectRamp(try read(from: 500), from: 500, 1_000)
        try ChangedFileTests.write([Float](repeating: 0.5, count: 90_000), folder.path("b.wav"))
        #expect(rename(folder.path("b.wav"), path) == 0)
        expectRamp(try read(from: 500), from: 500, 1_000)
        expectRamp(try read(from: 39_000), from: 39_000, 1_000)
        #expect(unlink(path) == 0)
        expectRamp(try read(from: 0), from: 0, 1_000)
        #expect(throws: AudioFileError.self) { try StemFile(path: path) }
    }

    @Test("Written anew at another rate, or as something else, it ends")
    func otherKind() throws {
        let stream = try AudioFileStream(path: path)
        expectRamp(try read(stream, 10_000), from: 0, 10_000)
        try ChangedFileTests.write([Float](repeating: 0.5, count: 90_000), folder.path("b.wav"), rate: 44_100)
        try overwrite(try folder.bytes("b.wav"), at: 0)
        #expect(throws: AudioFileError.self) { _ = try read(stream, 10_000) }
        let other = try AudioFileStream(path: folder.path("b.wav"))
        _ = try read(other, 1_000)
        Thread.sleep(forTimeInterval: 0.03)
        try folder.write("b.wav", "no sound at all")
        #expect((try? read(other, 1_000))?.isEmpty ?? true)
    }

    @Test("A stem that is written over at another rate is not opened again, as it would sound at another pitch")
    func stemOfAnotherRate() throws {
        let stem = try StemFile(path: path)
        _ = try stem.open()
        try ChangedFileTests.write([Float](repeating: 0.5, count: 90_000), folder.path("b.wav"), rate: 44_100)
        try overwrite(try folder.bytes("b.wav"), at: 0)
        #expect(throws: AudioFileError.self) { _ = try stem.open() }
        #expect(try StemFile(path: path).sampleRate.hertz == 44_100)
    }

    @Test("Tags that are written, or sound that is added, cost nothing of it")
    func touched() throws {
        let stream = try AudioFileStream(path: path)
        expectRamp(try read(stream, 10_000), from: 0, 10_000)
        try overwrite(Array("RIFF".utf8), at: 0)
        expectRamp(try read(stream, 10_000), from: 10_000, 10_000)
        let end = try folder.bytes("a.wav").count
        Thread.sleep(forTimeInterval: 0.03)
        try overwrite(Array(repeating: 0, count: 8_000), at: end)
        expectRamp(try read(stream, 20_000), from: 20_000, 20_000)
    }

    @Test("Loud sound of a file that nobody changes is given as it is")
    func loud() throws {
        try ChangedFileTests.write([0, 9, -30, 1], folder.path("loud.wav"))
        #expect(try read(try AudioFileStream(path: folder.path("loud.wav")), 10) == [0, 9, -30, 1])
    }
}
