import Foundation

/// Files that are written beside the one whose place they take.
package enum NewFile {
    /// Makes a file that was not there: what has its name, a link to a file of somebody else among it, is removed and not written
    /// to.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - access: `O_WRONLY` or `O_RDWR`.
    /// - Returns: its descriptor; below 0 where it can't be made, for the reason in `errno`.
    package static func open(_ path: String, _ access: Int32) -> Int32 {
        // The system would write what is named before it.
        if path.utf8.contains(0) {
            errno = EINVAL
            return -1
        }
        unlink(path)
        return Foundation.open(path, access | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    }
}
