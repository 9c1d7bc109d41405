import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineFiles

/// A file that can be played at every moment while it is written.
@Suite("Files of takes")
struct TakeFileTests {
    private func write(_ samples: [Float], to file: TakeFile) throws {
        try samples.withUnsafeBufferPointer { left in
            try samples.map { -$0 }.withUnsafeBufferPointer { right in try file.write(left: left, right: right) }
        }
    }

    @Test("What was written before the last update can be played though nobody has completed it")
    func playable() throws {
        let folder = try TemporaryFolder()
        let file = try TakeFile(path: folder.path("a.wav"), sampleRate: .standard)
        var sound: [Float] = []
        for piece in 0..<5 {
            let samples = (0..<1_000).map { Float(piece * 1_000 + $0) / 8_192 - 0.25 }
            try write(samples, to: file)
            sound += samples
            try file.update()
            let now = try WaveContents(path: folder.path("a.wav"))
            #expect(now.channels == [sound, sound.map { -$0 }])
            #expect(now.sampleRate == 48_000 && now.formatTag == 3 && now.container == "RIFF")
        }
        let library = try AudioFileReader(path: folder.path("a.wav"))
        #expect(library.frameCount == 5_000)
    }

    @Test("A file that was cut anywhere is repaired to its last whole frame", arguments: UInt64(1)...8)
    func repaired(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let folder = try TemporaryFolder()
        let path = folder.path("a.wav")
        let samples = (0..<3_000).map { Float($0) / 4_096 }
        let file = try TakeFile(path: path, sampleRate: .standard)
        try write(samples, to: file)
        let bytes = try folder.bytes("a.wav")
        #expect(bytes.count == 94 + 8 * 3_000)
        let length = Int.random(in: 94...bytes.count, using: &random)
        try folder.write("a.wav", Array(bytes[..<length]))
        let repaired = try #require(try TakeFile.repair(path))
        #expect(repaired.frames == Int64(length - 94) / 8 && repaired.sampleRate == .standard)
        let contents = try WaveContents(path: path)
        #expect(contents.channels[0] == Array(samples[..<Int(repaired.frames)]))
        try folder.write("a.wav", Array(bytes[..<Int.random(in: 0..<94, using: &random)]))
        #expect(try TakeFile.repair(path) == nil)
    }

    @Test("Past 4 GiB it is an RF64 file")
    func large() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.wav")
        try write([0.5, 0.25], to: TakeFile(path: path, sampleRate: .standard))
        let frames: Int64 = 700_000_000
        #expect(truncate(path, 94 + 8 * off_t(frames)) == 0)
        #expect(try TakeFile.repair(path)?.frames == frames)
        let handle = try #require(FileHandle(forReadingAtPath: path))
        #expect(try handle.read(upToCount: 4) == Data("RF64".utf8))
        #expect(try AudioFileReader(path: path).frameCount == frames)
    }

    @Test("Gaps are marked by labelled cue points, which are read again, behind samples of any length")
    func gaps() throws {
        let folder = try TemporaryFolder()
        for count in [1_000, 1_001] {
            let path = folder.path("\(count).wav")
            let file = try TakeFile(path: path, sampleRate: .standard)
            try write((0..<count).map { Float($0) / 2_048 }, to: file)
            try file.append(silence: 500)
            let gaps: [Range<Int64>] = [10..<110, 700..<701]
            try file.close(
                with: TakeChunks(
                    loop: 100..<900, beats: 4, timeReference: 48_000, sampleRate: .standard, gaps: gaps))
            let contents = try WaveContents(path: path)
            #expect(
                contents.markers == [
                    WaveContents.Marker(frame: 10, length: 100, label: "gap of 100 frames"),
                    WaveContents.Marker(frame: 700, length: 1, label: "gap of 1 frame"),
                ])
            #expect(contents.chunkNames.suffix(5) == ["bext", "smpl", "acid", "cue ", "LIST"])
            #expect(contents.frameCount == count + 500 && contents.channels[0][count...].allSatisfy { $0 == 0 })
            #expect(TakeFile.gaps(of: path) == gaps)
            #expect(try AudioFileReader(path: path).frameCount == count + 500)
        }
        let plain = try TakeFile(path: folder.path("plain.wav"), sampleRate: .standard)
        try plain.close(with: TakeChunks(timeReference: 0, sampleRate: .standard, gaps: []))
        #expect(TakeFile.gaps(of: folder.path("plain.wav")).isEmpty)
        #expect(try WaveContents(path: folder.path("plain.wav")).chunkNames.last == "bext")
        #expect(TakeFile.gaps(of: try folder.write("text", "no sound")).isEmpty)
    }

    @Test("A file is not written over, and what is no take is left alone")
    func others() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "a.wav",
            "something else of which nobody knows what it is, but that is long enough to be looked at, all of it")
        #expect(throws: AudioFileError.self) { try TakeFile(path: path, sampleRate: .standard) }
        #expect(try TakeFile.repair(path) == nil)
        #expect(try folder.text("a.wav").hasPrefix("something else"))
    }

    @Test("On a full disk the file ends with the last piece that fitted", .enabled(if: SmallDisk.canBeMade))
    func full() throws {
        let folder = try TemporaryFolder()
        let disk = try SmallDisk(at: folder.folder("disk"), bytes: 1 << 20)
        let path = folder.path("disk/a.wav")
        let file = try TakeFile(path: path, sampleRate: .standard)
        let samples = (0..<1_000).map { Float($0) / 1_024 }
        var count = 0
        #expect(throws: AudioFileError.cannotWrite(path: path, reason: "No space left on device")) {
            while count < 1_000 {
                try write(samples, to: file)
                count += 1
            }
        }
        #expect(count > 100 && count < 132)
        try file.close()
        let contents = try WaveContents(path: path)
        #expect(contents.channels[0] == Array((0..<count).map { _ in samples }.joined()))
        withExtendedLifetime(disk) {}
    }
}
