import BarlineFiles
import Foundation
import Synchronization

/// Puts files that come from elsewhere into a folder: every content once, and no name twice.
final class MediaStore: Sendable {
    // One after the other: of two equal files that come at once the second one finds the first.
    private let access = Mutex(())

    /// Gives a file its place.
    ///
    /// - Parameters:
    ///   - temporary: the file, on the same volume as `folder`.
    ///   - name: what it is called; where another content has the name, a number is added.
    ///   - folder: where it belongs.
    ///   - known: files elsewhere that may have the same content already.
    ///   - isUsable: whether a file may take the place of this one.
    /// - Returns: the path of the file, or of the one that has its content. Comparing takes one look at each file of
    ///   the same length.
    /// - Throws: ``AudioFileError`` where the folder can't be written to.
    func store(
        _ temporary: String, as name: String, in folder: URL, known: [String], isUsable: (String) -> Bool
    ) throws(AudioFileError) -> String {
        let outcome = access.withLock { _ in
            Result { () throws(AudioFileError) in
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
                let stored = names.filter { !$0.hasPrefix(".") }.sorted()
                let paths = stored.map { folder.appendingPathComponent($0).path } + known
                if let same = paths.first(where: { FileContent.isSame($0, temporary) && isUsable($0) }) { return same }
                return try MediaStore.link(temporary, name, in: folder, taken: Set(stored))
            }
        }
        return try outcome.get()
    }

    private static func link(
        _ temporary: String, _ name: String, in folder: URL, taken: Set<String>
    ) throws(AudioFileError) -> String {
        for number in 1...10_000 {
            let file = MediaStore.name(name, number: number)
            // A set of texts takes an accent as one letter or as two for the same: names that look alike differ.
            if taken.contains(file) { continue }
            let path = folder.appendingPathComponent(file).path
            // A link fails where the name is taken, so that nothing is ever written over.
            if Foundation.link(temporary, path) == 0 { return path }
            if errno != EEXIST { break }
        }
        throw .cannotOpen(path: temporary, reason: "can't be stored: \(String(cString: strerror(errno)))")
    }

    /// The name of the `number`th file, from 1 on, that is called `name`: before its ending it has the number, and as
    /// many of its letters as fit.
    static func name(_ name: String, number: Int) -> String {
        let ending = name.pathEnding.isEmpty ? "" : ".\(name.pathEnding)"
        var base = name.withoutPathEnding
        while base.utf8.count > longestName - ending.utf8.count, !base.isEmpty { base.removeLast() }
        return number == 1 ? base + ending : "\(base) \(number)\(ending)"
    }

    /// Bytes of a name that leave room for a dot and a number.
    private static let longestName = 240
}

/// The content of files.
enum FileContent {
    /// Whether two paths lead to files with the same bytes, read as far as they are equal.
    static func isSame(_ first: String, _ second: String) -> Bool {
        guard let length = length(first), length == self.length(second),
            let one = FileHandle(forReadingAtPath: first), let other = FileHandle(forReadingAtPath: second)
        else { return false }
        var rest = length
        while rest > 0 {
            guard let piece = try? one.read(upToCount: pieceBytes), !piece.isEmpty,
                let match = try? other.read(upToCount: piece.count), piece == match
            else { return false }
            rest -= Int64(piece.count)
        }
        return true
    }

    private static func length(_ path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    private static let pieceBytes = 1 << 18
}
