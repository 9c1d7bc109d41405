import Foundation

/// A library that is loaded before a program's others, and lets calls that change what is on the disk fail from the
/// *k*-th on.
package final class FailingWrites: Sendable {
    /// What becomes of the *k*-th call, and of those that follow.
    package enum Fault: String, Sendable, CaseIterable {
        /// It fails with the error that a broken disk gives, and those that follow succeed.
        case once = "o"
        /// The disk is full: it fails, and so do those that follow.
        case full = "f"
        /// The disk is full in the middle of it: it writes the half of its bytes.
        case half = "h"
    }

    /// What a program's environment needs.
    package let environment: [String: String]
    private let folder: TemporaryFolder
    private let library: PreloadedLibrary

    /// - Parameter part: a part of the paths of files that can't be changed.
    /// - Throws: where it can't be built.
    package init(for part: String) throws {
        folder = try TemporaryFolder()
        library = try PreloadedLibrary(FailingWrites.source)
        environment = [
            "LD_PRELOAD": library.path, "WRITES_FILE": folder.path("plan"), "WRITES_PATH": part,
        ]
    }

    /// Lets the call with this number fail, counted from now on, the first being 1.
    package func fail(_ fault: Fault, at call: Int) throws {
        let digits = "\(call)"
        try folder.write("next", "\(fault.rawValue)\(String(repeating: "0", count: 10 - digits.count))\(digits)\n")
        rename(folder.path("next"), folder.path("plan"))
    }

    /// Whether a call has failed since that was asked for.
    package func hasFailed() throws -> Bool {
        Int(try folder.text("plan").dropFirst().dropLast()) == 0
    }

    /// Lets everything succeed again.
    ///
    /// - Returns: whether a call has failed.
    @discardableResult
    package func end() throws -> Bool {
        defer { unlink(folder.path("plan")) }
        return try hasFailed()
    }

    private static let source = """
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <pthread.h>
        #include <stdarg.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/syscall.h>
        #include <sys/uio.h>
        #include <unistd.h>
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        // What becomes of a call that changes something of `path`: 0 where it is done, 'h' where half of it is, else it fails.
        static int due(const char *path) {
            const char *file = getenv("WRITES_FILE"), *part = getenv("WRITES_PATH");
            if (!file || !part || !strstr(path, part)) return 0;
            int result = 0;
            char text[32] = "";
            pthread_mutex_lock(&lock);
            int plan = syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC);
            if (plan >= 0) {
                if (syscall(SYS_pread64, plan, text, sizeof text - 1, 0) >= 12) {
                    char kind = text[0];
                    int left = atoi(text + 1);
                    if (left > 0) {
                        snprintf(text, sizeof text, "%c%010d\\n", kind, --left);
                        syscall(SYS_pwrite64, plan, text, 12, 0);
                        if (left == 0) result = kind;
                    } else if (kind != 'o') {
                        result = 'f';
                    }
                }
                syscall(SYS_close, plan);
            }
            pthread_mutex_unlock(&lock);
            return result;
        }
        static int due_at(int file) {
            char link[64], path[4096];
            snprintf(link, sizeof link, "/proc/self/fd/%d", file);
            ssize_t length = readlink(link, path, sizeof path - 1);
            if (length < 0) return 0;
            path[length] = 0;
            return due(path);
        }
        #define REFUSE(kind) return errno = (kind) == 'o' ? EIO : ENOSPC, -1
        static ssize_t half(int kind, size_t *count) {
            if (kind != 'h' || *count < 2) return 0;
            *count /= 2;
            return 1;
        }
        ssize_t write(int file, const void *bytes, size_t count) {
            int kind = due_at(file);
            if (kind && !half(kind, &count)) REFUSE(kind);
            return syscall(SYS_write, file, bytes, count);
        }
        ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
            int kind = due_at(file);
            if (kind && !half(kind, &count)) REFUSE(kind);
            return syscall(SYS_pwrite64, file, bytes, count, offset);
        }
        ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) { return pwrite(file, bytes, count, offset); }
        ssize_t writev(int file, const struct iovec *pieces, int count) {
            int kind = due_at(file);
            if (kind) REFUSE(kind);
            return syscall(SYS_writev, file, pieces, count);
        }
        int fsync(int file) {
            int kind = due_at(file);
            if (kind) REFUSE(kind);
            return syscall(SYS_fsync, file);
        }
        int fdatasync(int file) {
            int kind = due_at(file);
            if (kind) REFUSE(kind);
            return syscall(SYS_fdatasync, file);
        }
        int ftruncate(int file, off_t length) {
            int kind = due_at(file);
            if (kind) REFUSE(kind);
            return syscall(SYS_ftruncate, file, length);
        }
        int ftruncate64(int file, off_t length) { return ftruncate(file, length); }
        int rename(const char *old, const char *name) {
            int kind = due(name);
            if (kind) REFUSE(kind);
            return syscall(SYS_rename, old, name);
        }
        #define OPEN(name) int name(const char *path, int flags, ...) { \\
            va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \\
            int kind = flags & O_CREAT ? due(path) : 0; \\
            if (kind) REFUSE(kind); \\
            return syscall(SYS_openat, AT_FDCWD, path, flags, mode); }
        OPEN(open)
        OPEN(open64)

        """
}
