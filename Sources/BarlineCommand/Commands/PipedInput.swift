import BarlineFiles
import Foundation

/// The standard input where a `-` is named: audio, or names of files, one a line.
final class PipedInput {
    /// Files, lists, folders and addresses.
    let names: [String]
    /// Whether nothing of it is there any more afterwards.
    let isAudio: Bool
    private let folder: URL

    private static let chunk = 1 << 20

    /// Reads standard input to its end.
    ///
    /// - Throws: `AudioFileError` where there is nothing, or it can't be kept.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("barline-\(getpid())", isDirectory: true)
        let input = FileHandle.standardInput
        var head = Data()
        while head.count < PipedInput.chunk, let more = try input.read(upToCount: PipedInput.chunk), !more.isEmpty {
            head += more
        }
        if head.isEmpty { throw AudioFileError.empty(path: "standard input") }
        // Text has no zeros, which every format of audio is full of; a character may be cut in two at the end.
        isAudio = head.contains(0) || String(validating: head.dropLast(3), as: UTF8.self) == nil
        guard isAudio else {
            names = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
                .filter { !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace) }
            return
        }
        let file = folder.appendingPathComponent("standard input")
        names = [file.path]
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try head.write(to: file)
            let copy = try FileHandle(forWritingTo: file)
            try copy.seekToEnd()
            while let more = try input.read(upToCount: PipedInput.chunk), !more.isEmpty {
                if Interruption.status != nil { break }
                try copy.write(contentsOf: more)
            }
            try copy.close()
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw AudioFileError.cannotWrite(path: file.path, reason: systemReason(of: error))
        }
    }

    deinit {
        if isAudio { try? FileManager.default.removeItem(at: folder) }
    }
}
