import ArgumentParser
import BarlineFiles
import Foundation

/// The standard input where a `-` is named: audio, or names of files, one a line.
final class PipedInput {
    /// Files, lists, folders and addresses.
    let names: [String]
    /// Whether nothing of it is there any more afterwards.
    let isAudio: Bool
    /// The user's own folder that it is in, where it is audio.
    private let folder: URL?

    private static let chunk = 1 << 20
    /// How long a signal may wait to be seen, in milliseconds.
    private static let patience: Int32 = 100

    /// Reads standard input to its end.
    ///
    /// - Throws: `AudioFileError` where there is nothing, or it can't be kept; `ExitCode` where a signal ends it.
    init() throws {
        Interruption.await()
        var head = Data()
        while head.count < PipedInput.chunk, case let more = try PipedInput.read(), !more.isEmpty { head += more }
        if head.isEmpty { throw AudioFileError.empty(path: "standard input") }
        // Text has no zeros, which every format of audio is full of; a character may be cut in two at the end.
        isAudio = head.contains(0) || String(validating: head.dropLast(3), as: UTF8.self) == nil
        guard isAudio else {
            names = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
                .filter { !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace) }
            folder = nil
            return
        }
        let folder = try PipedInput.ownFolder()
        self.folder = folder
        let file = folder.appendingPathComponent("standard input")
        names = [file.path]
        do {
            try PipedInput.copy(head, to: file)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            if error is ExitCode || error is AudioFileError { throw error }
            throw AudioFileError.cannotWrite(path: file.path, reason: systemReason(of: error))
        }
    }

    deinit {
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    /// A new folder that nobody else can look into.
    private static func ownFolder() throws -> URL {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("barline-XXXXXX").path
        var name = Array(place.utf8CString)
        let path = name.withUnsafeMutableBufferPointer { name in
            name.baseAddress.flatMap(mkdtemp).map { String(cString: $0) }
        }
        guard let path else {
            throw AudioFileError.cannotWrite(
                path: FileManager.default.temporaryDirectory.path, reason: String(cString: strerror(errno)))
        }
        return URL(fileURLWithPath: path, isDirectory: true)
    }

    private static func copy(_ head: Data, to file: URL) throws {
        let descriptor = NewFile.open(file.path, O_WRONLY)
        guard descriptor >= 0 else {
            throw AudioFileError.cannotWrite(path: file.path, reason: String(cString: strerror(errno)))
        }
        let copy = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try copy.write(contentsOf: head)
        while case let more = try read(), !more.isEmpty { try copy.write(contentsOf: more) }
    }

    /// What there is by now, once there is something; nothing at the end.
    private static func read() throws -> Data {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        repeat {
            if let status = Interruption.status { throw ExitCode(status) }
        } while poll(&input, 1, patience) <= 0
        var piece = Data(count: chunk)
        let count = piece.withUnsafeMutableBytes { Foundation.read(STDIN_FILENO, $0.baseAddress, $0.count) }
        guard count >= 0 else {
            throw AudioFileError.cannotOpen(path: "standard input", reason: String(cString: strerror(errno)))
        }
        return piece.prefix(count)
    }
}
