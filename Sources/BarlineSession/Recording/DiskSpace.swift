import BarlineFiles
import Foundation

/// The free space on the disk of a folder.
package enum DiskSpace {
    /// Bytes that may still be written there; `nil` where nobody knows.
    package static func free(at path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isTooMuch) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: status.f_frsize))
        return isTooMuch ? .max : bytes
    }

    /// A folder, or the first one above it that is there.
    package static func existing(_ path: String) -> String {
        var path = path
        while path.count > 1, !FileManager.default.fileExists(atPath: path) {
            path = path.folderPath
        }
        return path
    }
}

/// Room on a disk that is held until it is needed: so that what must be written at the end can be, on a full disk too.
///
/// It is a file without a name: it is gone with the program.
final class DiskReserve {
    private var descriptor: Int32
    private var bytes = 0

    /// Holds nothing yet.
    ///
    /// - Parameter path: a name for a moment, on the disk.
    init(near path: String) {
        let name = path + ".reserve"
        descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { unlink(name) }
    }

    deinit { release() }

    /// Holds so many bytes, or what it held before where there are no more.
    func hold(_ count: Int) {
        guard descriptor >= 0, count > bytes else { return }
        if posix_fallocate(descriptor, 0, off_t(count)) == 0 {
            bytes = count
        } else {
            ftruncate(descriptor, off_t(bytes))
        }
    }

    /// Gives the room back.
    func release() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
    }
}

/// Warns once each when there is room for ten minutes of recording, and for one.
struct DiskWarning {
    /// Seconds at which it warns.
    private static let thresholds = [60.0, 600.0]

    private var warned = Double.infinity

    /// Takes in for how many seconds there is room.
    ///
    /// - Returns: whether to warn.
    mutating func isDue(_ seconds: Double) -> Bool {
        // Where room was made the next shortage is warned of again.
        if seconds > warned * 1.5 { warned = .infinity }
        guard let threshold = DiskWarning.thresholds.first(where: { seconds <= $0 }), threshold < warned else {
            return false
        }
        warned = threshold
        return true
    }
}
