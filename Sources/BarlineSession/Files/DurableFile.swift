import BarlineFiles
import Foundation
import Synchronization

/// Files that outlive a crash: written beside their place, brought to the disk, and only then renamed.
enum DurableFile {
    private static let count = Atomic<Int>(0)

    /// Writes a file, or replaces one as a whole. Where its name is a link, the file that it leads to is replaced.
    ///
    /// - Parameters:
    ///   - bytes: what is in it.
    ///   - path: where it is.
    /// - Throws: ``SessionError/file(path:reason:)``; then what was there is as it was.
    static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(SessionError) {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        let temporary = "\(target).part\(getpid())-\(number)"
        let descriptor = NewFile.open(temporary, O_WRONLY)
        guard descriptor >= 0 else { throw problem(path) }
        var status = stat()
        if stat(target, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
        let isWritten = put(Array(bytes), descriptor) && fsync(descriptor) == 0
        let failure = errno
        close(descriptor)
        guard isWritten else {
            unlink(temporary)
            errno = failure
            throw problem(path)
        }
        guard rename(temporary, target) == 0 else {
            let failure = errno
            unlink(temporary)
            errno = failure
            throw problem(path)
        }
        syncFolder(of: target)
    }

    /// Brings the name of a file to the disk: it is there only when its folder is.
    static func syncFolder(of path: String) {
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    /// Removes what programs that were killed while they wrote have left beside a file.
    static func removeLeftovers(beside path: String) {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let folder = target.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let prefix = target.lastPathComponent + ".part"
        for name in names where name.hasPrefix(prefix) {
            guard let process = pid_t(name.dropFirst(prefix.count).prefix { $0.isNumber }), process > 0,
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            unlink(folder.appendingPathComponent(name).path)
        }
    }

    private static func put(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let written = bytes[offset...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            if written <= 0 { return false }
            offset += written
        }
        return true
    }

    private static func problem(_ path: String) -> SessionError {
        .file(path: path, reason: "can't be written: \(String(cString: strerror(errno)))")
    }
}
