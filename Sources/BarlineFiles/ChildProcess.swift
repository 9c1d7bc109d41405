import BarlineTime
import Foundation
import Synchronization

/// Another program that this one runs.
///
/// Foundation's `Process` reads beyond the end of its list of open files where there are more than about 1,300 of them
/// (`findMaximumOpenFromProcSelfFD`, Swift 6.1), which now and then ends the program that asked.
package final class ChildProcess: Sendable {
    /// Why a program could not be started.
    package struct Failure: Error, CustomStringConvertible {
        /// The program's path.
        let program: String
        /// The system's number for the reason.
        let code: Int32

        package var description: String { "\(program): \(String(cString: strerror(code)))" }
    }

    /// The program's number.
    package let identifier: Int32
    /// The exit status; 128 and the signal's number where a signal has ended it; `nil` while it runs.
    private let state = Mutex<Int32?>(nil)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Starts a program, in a process group of its own, with no file open but the three that are passed.
    ///
    /// - Parameters:
    ///   - program: its path.
    ///   - arguments: passed after its name.
    ///   - environment: its whole environment.
    ///   - input: what it reads as standard input; `nil` for nothing. It stays open here.
    ///   - output: where its standard output goes; `nil` for nowhere. It stays open here.
    ///   - errors: where its standard error goes; `nil` for nowhere. It stays open here.
    /// - Throws: ``Failure``.
    package init(
        _ program: String, _ arguments: [String],
        environment: [String: String] = ProcessInfo.processInfo.environment, input: Int32? = nil,
        output: Int32? = nil, errors: Int32? = nil
    ) throws(Failure) {
        var started: pid_t = 0
        let code = ChildProcess.spawn(
            program, arguments, environment, streams: [input, output, errors], &started)
        guard code == 0 else { throw Failure(program: program, code: code) }
        identifier = started
        NamedThread.start("barline-child", stackBytes: 1 << 17) { [self] in reap() }
    }

    /// Waits for its end.
    ///
    /// - Parameter seconds: how long at the most; `nil` for as long as it takes.
    /// - Returns: the exit status; 128 and the signal's number where a signal has ended it; `nil` where it runs on.
    @discardableResult
    package func wait(atMost seconds: Double? = nil) -> Int32? {
        let deadline = seconds.map { DispatchTime.now() + $0 } ?? .distantFuture
        if hasEnded.wait(timeout: deadline) == .success { hasEnded.signal() }
        return state.withLock { $0 }
    }

    /// Sends it a signal, if it runs.
    package func signal(_ number: Int32) {
        state.withLock { status in
            if status == nil { kill(identifier, number) }
        }
    }

    private func reap() {
        var end = siginfo_t()
        while waitid(P_PID, id_t(identifier), &end, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        // Its number belongs to another process as soon as it was asked for: no signal is sent meanwhile.
        state.withLock { state in
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            let number = status & 0x7f
            state = number == 0 ? (status >> 8) & 0xff : 128 + number
        }
        hasEnded.signal()
    }

    private static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String: String], streams: [Int32?],
        _ started: inout pid_t
    ) -> Int32 {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // Signals that this program ignores or holds back are its own affair.
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        for (place, stream) in zip(Int32(0)..., streams) {
            if let stream {
                posix_spawn_file_actions_adddup2(&actions, stream, place)
            } else {
                posix_spawn_file_actions_addopen(&actions, place, "/dev/null", O_RDWR, 0)
            }
        }
        for file in inheritedFiles() { posix_spawn_file_actions_addclose(&actions, file) }
        let words = ([program] + arguments).map { strdup($0) }
        let settings = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for word in words + settings { free(word) } }
        return posix_spawn(&started, program, &actions, &attributes, words + [nil], settings + [nil])
    }

    /// Open files, but for the three standard ones, that a new program would have too: libraries open some of those.
    private static func inheritedFiles() -> [Int32] {
        guard let folder = opendir("/dev/fd") else { return [] }
        defer { closedir(folder) }
        var files: [Int32] = []
        while let entry = readdir(folder) {
            // An entry is as long as its name: as a value of its type it would be read beyond its end.
            let name = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            guard let file = Int32(String(cString: name.assumingMemoryBound(to: CChar.self))), file > 2,
                case let flags = fcntl(file, F_GETFD), flags >= 0, flags & FD_CLOEXEC == 0
            else { continue }
            files.append(file)
        }
        return files
    }
}
