import Foundation

/// A library that is loaded before a program's others, and lets reads of some files fail for as long as a flag is there.
package final class FaultyDisk: Sendable {
    /// How reads fail.
    package enum Fault: String, Sendable, CaseIterable {
        /// With the error that a broken disk gives.
        case error
        /// With no bytes, as at a file's end.
        case nothing
    }

    /// What a program's environment needs.
    package let environment: [String: String]
    private let folder: TemporaryFolder

    /// Whether there is a compiler for it.
    package static let canBeMade = (try? Program.run("cc", ["--version"]))?.status == 0

    /// - Parameters:
    ///   - part: a part of the paths of files whose reads fail.
    ///   - fault: how they fail.
    /// - Throws: where it can't be built.
    package init(for part: String, _ fault: Fault) throws {
        folder = try TemporaryFolder()
        let source = try folder.write("fault.c", FaultyDisk.source)
        let library = folder.path("fault.so")
        let outcome = try Program.run("cc", ["-shared", "-fPIC", "-O1", "-o", library, source])
        if outcome.status != 0 { throw Refused(errors: outcome.errors) }
        environment = [
            "LD_PRELOAD": library, "FAULT_FLAG": folder.path("flag"), "FAULT_PATH": part,
            "FAULT_KIND": fault.rawValue,
        ]
    }

    /// Lets reads fail from now on, or succeed again.
    package func fail(_ isFailing: Bool) throws {
        if isFailing { try folder.write("flag", "") } else { unlink(folder.path("flag")) }
    }

    package struct Refused: Error {
        package let errors: String
    }

    private static let source = """
        #define _GNU_SOURCE
        #include <errno.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        static int fails(int file) {
            const char *flag = getenv("FAULT_FLAG"), *part = getenv("FAULT_PATH");
            char link[64], path[4096];
            if (!flag || !part || access(flag, F_OK)) return 0;
            snprintf(link, sizeof link, "/proc/self/fd/%d", file);
            ssize_t length = readlink(link, path, sizeof path - 1);
            if (length < 0) return 0;
            path[length] = 0;
            return strstr(path, part) != NULL;
        }
        static ssize_t failure(void) {
            const char *kind = getenv("FAULT_KIND");
            if (kind && !strcmp(kind, "nothing")) return 0;
            errno = EIO;
            return -1;
        }
        ssize_t read(int file, void *bytes, size_t count) {
            return fails(file) ? failure() : syscall(SYS_read, file, bytes, count);
        }
        ssize_t __read_chk(int file, void *bytes, size_t count, size_t size) { return read(file, bytes, count); }
        ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
            return fails(file) ? failure() : syscall(SYS_pread64, file, bytes, count, offset);
        }
        ssize_t pread64(int file, void *bytes, size_t count, off_t offset) { return pread(file, bytes, count, offset); }
        ssize_t __pread_chk(int file, void *bytes, size_t count, off_t offset, size_t size) {
            return pread(file, bytes, count, offset);
        }
        ssize_t __pread64_chk(int file, void *bytes, size_t count, off_t offset, size_t size) {
            return pread(file, bytes, count, offset);
        }

        """
}
