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

    /// A complete file of 1,001 frames whose header is what it was when 600 of them were written: its writer was killed
    /// between what follows the samples and the header.
    private func halfClosed(_ folder: TemporaryFolder, _ chunks: TakeChunks) throws -> [UInt8] {
        let file = try TakeFile(path: folder.path("a.wav"), sampleRate: .standard)
        let samples = (0..<1_001).map { Float($0) / 2_048 }
        try write(Array(samples[..<600]), to: file)
        try file.update()
        let header = Array(try folder.bytes("a.wav")[..<94])
        try write(Array(samples[600...]), to: file)
        try file.close(with: chunks)
        return header + Array(try folder.bytes("a.wav")[94...])
    }

    @Test("What follows the samples is not taken for samples where the writer was killed before the header told of it")
    func trailer() throws {
        let folder = try TemporaryFolder()
        let all = [
            TakeChunks(timeReference: 7, sampleRate: .standard, gaps: []),
            TakeChunks(timeReference: 7, sampleRate: .standard, gaps: [20..<30, 500..<501]),
            TakeChunks(loop: 100..<900, beats: 4, timeReference: 7, sampleRate: .standard, gaps: [20..<30]),
        ]
        for chunks in all {
            let bytes = try halfClosed(folder, chunks)
            let whole = try folder.bytes("a.wav")
            #expect(Array(whole[94...]) == Array(bytes[94...]) && whole != bytes)
            // As far as it had come to the disk: the bytes of the last frame, and then of what follows.
            for length in Array(stride(from: 94 + 8 * 1_001, to: bytes.count, by: 5)) + [bytes.count] {
                try folder.write("cut.wav", Array(bytes[..<length]))
                let repaired = try #require(try TakeFile.repair(folder.path("cut.wav")))
                #expect(repaired.frames == 1_001, "\(length) of \(bytes.count) bytes")
            }
            #expect(try folder.bytes("cut.wav") == whole)
            let contents = try WaveContents(path: folder.path("cut.wav"))
            #expect(contents.frameCount == 1_001 && contents.chunkNames.contains("bext"))
            #expect(contents.channels[0] == (0..<1_001).map { Float($0) / 2_048 })
            #expect(try AudioFileReader(path: folder.path("cut.wav")).frameCount == 1_001)
            // A file that is complete stays as it is.
            _ = try TakeFile.repair(folder.path("cut.wav"))
            #expect(try folder.bytes("cut.wav") == whole)
            try FileManager.default.removeItem(atPath: folder.path("a.wav"))
        }
    }

    @Test("What was taken off for a latency is in the file's description, and read again; a file may say nothing of it")
    func latency() throws {
        let folder = try TemporaryFolder()
        for latency in [nil, 0, 700, -31] {
            let path = folder.path("\(latency ?? 1).wav")
            let file = try TakeFile(path: path, sampleRate: .standard)
            try file.append(silence: 1_000)
            try file.close(with: TakeChunks(timeReference: 5, sampleRate: .standard, gaps: [], latency: latency))
            #expect(TakeFile.latency(of: path) == latency)
            #expect(TakeFile.timeReference(of: path) == 5)
            #expect(try WaveContents(path: path).frameCount == 1_000)
        }
    }

    @Test("A file that says nothing beside its samples is given what it is to say; one that does is left at that")
    func given() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.wav")
        try write((0..<5_000).map { Float($0) / 8_192 }, to: TakeFile(path: path, sampleRate: .standard))
        #expect(TakeFile.loop(of: path) == nil)
        let repaired = try TakeFile.repair(path) { frames, rate in
            #expect(frames == 5_000 && rate == .standard)
            return TakeChunks(loop: 1_000..<4_360, beats: 3.5, timeReference: 9, sampleRate: rate)
        }
        #expect(repaired?.frames == 5_000)
        let loop = try #require(TakeFile.loop(of: path))
        #expect(loop.frames == 1_000..<4_360 && loop.beats == 3.5)
        #expect(TakeFile.timeReference(of: path) == 9)
        let contents = try WaveContents(path: path)
        #expect(contents.frameCount == 5_000 && contents.channels[0] == (0..<5_000).map { Float($0) / 8_192 })
        let before = try folder.bytes("a.wav")
        _ = try TakeFile.repair(path) { _, _ in
            Issue.record("it says something already")
            return nil
        }
        #expect(try folder.bytes("a.wav") == before)
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

    @Test("Its folder is made with it, and where that can't be, the reason is the folder's")
    func folders() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("set/audio/take.wav")
        let file = try TakeFile(path: path, sampleRate: .standard, makesFolder: true)
        try file.close()
        #expect(FileManager.default.fileExists(atPath: path))
        // Nobody makes folders in there, and the system says why: that is not that there is none.
        let closed = "/sys/kernel/barline"
        #expect(mkdir(closed, 0o777) != 0 && errno != ENOENT)
        let refused = AudioFileError.cannotWrite(path: closed + "/take.wav", reason: String(cString: strerror(errno)))
        #expect(throws: refused) {
            try TakeFile(path: closed + "/take.wav", sampleRate: .standard, makesFolder: true)
        }
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
