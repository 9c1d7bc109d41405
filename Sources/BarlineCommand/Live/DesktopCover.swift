import BarlineFiles
import Foundation
import Synchronization

/// The cover of what plays as a file, for desktops that show it: there is one at a time.
final class DesktopCover: Sendable {
    private struct Shown {
        var file: String?
        var cover: URL?
    }

    private let shown = Mutex(Shown())
    private let folder = UserFolders.cache.appendingPathComponent("covers", isDirectory: true)

    /// The most bytes that are handed on.
    private static let limit = 8 << 20

    deinit { if let cover = shown.withLock({ $0.cover }) { try? FileManager.default.removeItem(at: cover) } }

    /// The address of the cover in a file; `nil` where there is none.
    ///
    /// - Parameter file: the file's path.
    /// - Returns: a `file` URL, which holds until another file is asked about.
    func uri(of file: String) -> String? {
        shown.withLock { shown in
            if shown.file == file { return shown.cover?.absoluteString }
            if let cover = shown.cover { try? FileManager.default.removeItem(at: cover) }
            shown = Shown(file: file, cover: write(file))
            return shown.cover?.absoluteString
        }
    }

    /// Only what begins as a picture does is written: other programs open it.
    private func write(_ file: String) -> URL? {
        guard let cover = try? CoverArt.read(path: file), let type = cover.recognizedType,
            cover.bytes.count <= DesktopCover.limit
        else { return nil }
        var hash = FNV1a()
        hash.add(cover.bytes)
        // Two programs that show the same cover do not take it from each other.
        let name = "\(ProcessInfo.processInfo.processIdentifier)-\(String(hash.value, radix: 16)).\(type.fileExtension)"
        let place = folder.appendingPathComponent(name)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(cover.bytes).write(to: place, options: .atomic)
            return place
        } catch {
            return nil
        }
    }
}
