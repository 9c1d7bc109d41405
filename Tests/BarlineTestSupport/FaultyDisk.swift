import Foundation

/// A library that is loaded before a program's others, and lets reads of some files fail for as long as a flag is
/// there.
package final class FaultyDisk: Sendable {
    /// How reads fail.
    package enum Fault: String, Sendable, CaseIterable {
        /// With the error that a broken disk gives.
        case error
        /// With no bytes, as at a file's end.
        case nothing
        /// They come, but each takes seconds.
        case slow
        /// They give a few bytes at a time.
        case short
        /// Every other one is broken off by a signal before it has any.
        case interrupted

        /// Those that keep what is streamed from coming in time.
        package static let outages: [Fault] = [.error, .nothing, .slow]
        /// Those that a program has to put up with.
        package static let nuisances: [Fault] = [.short, .interrupted]
    }

    /// What a program's environment needs.
    package let environment: [String: String]
    private let folder: TemporaryFolder
    private let library: PreloadedLibrary

    /// Whether there is a compiler for it.
    package static var canBeMade: Bool { PreloadedLibrary.canBeMade }

    /// - Parameters:
    ///   - part: a part of the paths of files whose reads fail.
    ///   - fault: how they fail.
    /// - Throws: where it can't be built.
    package init(for part: String, _ fault: Fault) throws {
        folder = try TemporaryFolder()
        library = try PreloadedLibrary(FaultyDisk.source)
        environment = [
            "LD_PRELOAD": library.path, "FAULT_FLAG": folder.path("flag"), "FAULT_PATH": part,
            "FAULT_KIND": fault.rawValue,
        ]
    }

    /// Lets reads fail from now on, or succeed again.
    package func fail(_ isFailing: Bool) throws {
        if isFailing { try folder.write("flag", "") } else { unlink(folder.path("flag")) }
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
        static int is(const char *kind) {
            const char *wanted = getenv("FAULT_KIND");
            return wanted && !strcmp(wanted, kind);
        }
        // Whether a read is to be left out, with what it gives then; and how much another one may bring.
        static int spoils(int file, size_t *count, ssize_t *result) {
            static _Thread_local unsigned turn;
            if (!fails(file)) return 0;
            if (is("slow")) {
                for (int tenth = 0; tenth < 30 && fails(file); tenth++) usleep(100000);
                return 0;
            }
            if (is("short")) {
                if (*count > 7) *count = 1 + turn++ % 7;
                return 0;
            }
            if (is("interrupted") && turn++ % 2) return 0;
            errno = is("interrupted") ? EINTR : EIO;
            *result = is("nothing") ? 0 : -1;
            return 1;
        }
        ssize_t read(int file, void *bytes, size_t count) {
            ssize_t result;
            return spoils(file, &count, &result) ? result : syscall(SYS_read, file, bytes, count);
        }
        ssize_t __read_chk(int file, void *bytes, size_t count, size_t size) { return read(file, bytes, count); }
        ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
            ssize_t result;
            return spoils(file, &count, &result) ? result : syscall(SYS_pread64, file, bytes, count, offset);
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
