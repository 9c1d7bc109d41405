import Foundation

/// A file that can be opened again and again as the one that it was, though its name may lead to another one by now, or
/// nowhere: programs that write a file anew put another one in its place.
///
/// It is a descriptor that is open until then. Where the system has no names for those (Linux has), the file's own is
/// all that there is.
final class HeldFile: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Holds the file at `path`; `nil` where there is none, or half of the descriptors that the program may have are
    /// taken: the others are for what can't do without.
    init?(_ path: String) {
        guard let (descriptor, _) = try? RegularFile.open(path) else { return nil }
        guard Int(descriptor) < sysconf(Int32(_SC_OPEN_MAX)) / 2 else {
            close(descriptor)
            return nil
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// A path at which the file can be opened now.
    var place: String {
        #if os(Linux)
            var (held, named) = (stat(), stat())
            let isThere =
                fstat(descriptor, &held) == 0 && stat(path, &named) == 0
                && (held.st_dev, held.st_ino) == (named.st_dev, named.st_ino)
            return isThere ? path : "/proc/self/fd/\(descriptor)"
        #else
            return path
        #endif
    }
}
