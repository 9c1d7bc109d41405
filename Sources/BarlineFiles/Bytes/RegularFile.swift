import Foundation

/// Opens what is certainly a file: a path that leads to a folder, a device or a pipe is refused, not waited for.
enum RegularFile {
    /// A file descriptor to read from, and the file's size in bytes.
    static func open(_ path: String) throws(AudioFileError) -> (descriptor: Int32, size: Int64) {
        // The system would open what is named before it.
        guard !path.utf8.contains(0) else { throw .cannotOpen(path: path, reason: "its path has a NUL") }
        // Without O_NONBLOCK the call itself would wait for a pipe's writer.
        let descriptor = Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, reason: String(cString: strerror(errno))) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw .cannotOpen(path: path, reason: reason)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notAFile(path: path, kind: kind(of: status.st_mode))
        }
        guard status.st_size > 0 else {
            close(descriptor)
            throw .empty(path: path)
        }
        return (descriptor, Int64(status.st_size))
    }

    private static func kind(of mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "something else"
        }
    }
}
