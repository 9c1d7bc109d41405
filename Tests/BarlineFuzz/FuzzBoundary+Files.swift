import BarlineFiles
import BarlineSession
import Foundation

extension FuzzBoundary {
    /// Audio files, what they say of themselves, and what is left of recordings that were broken off.
    static let files = [
        FuzzBoundary("tags", limit: 1 << 14, take: readTags),
        FuzzBoundary("audio", limit: 1 << 15, take: readAudio),
        FuzzBoundary("take", limit: 1 << 14) { try rescue(journal: [], sound: $0) },
        FuzzBoundary("journal", limit: 1 << 14) { try rescue(journal: $0, sound: nil) },
    ]

    private static func readTags(_ input: [UInt8]) throws {
        let path = try InputFile.write(input, "tags")
        _ = try? AudioTags(path: path)
        guard let cover = try? CoverArt.read(path: path) else { return }
        try BrokenPromise.check(cover.bytes.count <= input.count, "a cover is larger than its file")
    }

    /// Frames that are decoded of an input at the most.
    private static let frames: Int64 = 1 << 18

    /// What is decoded is finite, and never more than was asked for; how much may be allocated at a time is bounded by
    /// the fuzzer.
    private static func readAudio(_ input: [UInt8]) throws {
        let path = try InputFile.write(input, "audio")
        guard let stream = try? AudioFileStream(path: path) else { return }
        let piece = 4_096
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * piece)
        defer { samples.deallocate() }
        samples.initialize(repeating: 0, count: 2 * piece)
        var count: Int64 = 0
        while count < frames, let read = try? stream.read(left: samples, right: samples + piece, count: piece), read > 0
        {
            try BrokenPromise.check(read <= piece, "more was read than was asked for")
            try BrokenPromise.check(
                (0..<read).allSatisfy { samples[$0].isFinite && samples[piece + $0].isFinite }, "a sample is no number")
            count += Int64(read)
        }
        if let reader = try? AudioFileReader(path: path) {
            _ = reader.metadata
            if reader.seek(to: 97 * Int64(input.last ?? 0)) {
                let few = UnsafeMutablePointer<Float>.allocate(capacity: 64 * reader.channelCount)
                defer { few.deallocate() }
                _ = reader.read(into: few, frames: 64)
            }
        }
        // What is longer takes the fuzzer too long.
        if count < frames { _ = try? AudioClip(path: path) }
    }

    private static func rescue(journal: [UInt8], sound: [UInt8]?) throws {
        let library = SessionLibrary(
            folder: URL(fileURLWithPath: InputFile.folder.path("library"), isDirectory: true),
            state: URL(fileURLWithPath: InputFile.folder.path("state"), isDirectory: true))
        try FileManager.default.createDirectory(at: library.recordings, withIntermediateDirectories: true)
        let folder = String(library.recordings.path.dropFirst(InputFile.folder.path.count + 1))
        _ = try InputFile.write(journal, "\(folder)/take.unfinished")
        if let sound { _ = try InputFile.write(sound, "\(folder)/take.wav") }
        for take in TakeRecovery.takes(in: library) {
            try BrokenPromise.check(take.seconds.isFinite && take.seconds >= 0, "a take lasts \(take.seconds) s")
            for file in take.files where file.path.hasSuffix(".wav") {
                do {
                    _ = try AudioFileReader(path: file.path)
                } catch {
                    throw BrokenPromise("a take that is offered can't be played: \(error)")
                }
            }
            try take.discard()
        }
        try BrokenPromise.check(
            try FileManager.default.contentsOfDirectory(atPath: library.recordings.path).isEmpty,
            "something is left of a take")
    }
}
