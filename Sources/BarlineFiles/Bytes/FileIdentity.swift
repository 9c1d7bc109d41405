import Foundation

/// The identity of a file and of its content, as far as it is known without reading it.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    /// Its number in the file system.
    package let number: UInt64
    let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Looks at a path; `nil` where it leads nowhere.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = Int(status.st_mtim.tv_sec)
        nanoseconds = Int(status.st_mtim.tv_nsec)
    }

    /// Adds what tells it from others to a hash.
    func add(to hash: inout FNV1a) {
        for word in [device, number, UInt64(bitPattern: size)] { hash.add(word) }
        for word in [seconds, nanoseconds] { hash.add(UInt64(bitPattern: Int64(word))) }
    }

    /// Whether it is the same file, whatever its content has become.
    package func isSameFile(as other: FileIdentity) -> Bool { (device, number) == (other.device, other.number) }

    /// Whether this is the same file with another content. A file in the place of this one is no change of it.
    func isChanged(from earlier: FileIdentity) -> Bool {
        (device, number) == (earlier.device, earlier.number) && self != earlier
    }
}

/// A disk that does not return what a file has.
enum DiskOutage {
    /// How long a disk may return nothing before reading fails, in seconds.
    static let timeout = 30.0
    /// How often it is tried again, in seconds.
    static let interval = 0.1

    /// Whether the first and last bytes of a file can't be read though it has some.
    static func isPresent(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == EIO }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            return false
        }
        var byte: UInt8 = 0
        return [0, status.st_size - 1].contains { pread(descriptor, &byte, 1, $0) != 1 }
    }
}
