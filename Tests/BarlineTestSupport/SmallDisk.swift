import Foundation

/// A disk of a few megabytes that really is full when it is full, for as long as anybody holds it.
package final class SmallDisk: Sendable {
    /// Where it is mounted.
    package let path: String

    /// Whether one can be made: only root may mount.
    package static var canBeMade: Bool { geteuid() == 0 }

    /// Mounts a disk in memory.
    ///
    /// - Parameters:
    ///   - path: an empty folder.
    ///   - bytes: its size.
    /// - Throws: where that is not allowed.
    package init(at path: String, bytes: Int) throws {
        self.path = path
        let outcome = try Program.run("mount", ["-t", "tmpfs", "-o", "size=\(bytes)", "barline-test", path])
        if outcome.status != 0 { throw Refused(errors: outcome.errors) }
    }

    deinit { _ = try? Program.run("umount", ["--lazy", path]) }

    /// Fills what is left of it with a file.
    package func fill() throws {
        let descriptor = open(path + "/filling", O_WRONLY | O_CREAT, 0o644)
        defer { close(descriptor) }
        var count = 1 << 20
        let bytes = [UInt8](repeating: 1, count: count)
        while count > 0 {
            if write(descriptor, bytes, count) != count { count /= 2 }
        }
    }

    /// Takes away what fills it.
    package func empty() { unlink(path + "/filling") }

    /// Lets nothing be written to it any more.
    package func protect() throws {
        let outcome = try Program.run("mount", ["-o", "remount,ro", path])
        if outcome.status != 0 { throw Refused(errors: outcome.errors) }
    }

    package struct Refused: Error {
        package let errors: String
    }
}
