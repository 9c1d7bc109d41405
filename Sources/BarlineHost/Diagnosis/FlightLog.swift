import Foundation
import Synchronization

/// The last lines that a program has noted, in a file that is there when the program has crashed or was killed.
///
/// The file is a ring in shared memory: a line costs no system call, and no disk is waited for. It is locked for as
/// long as its program lives.
package final class FlightLog: Sendable {
    /// Bytes of lines that are kept.
    static let ringBytes = 1 << 18
    /// Where the ring begins; before it are ``start``, the position as text, and the signal that has ended the program.
    static let ringStart = 128
    static let start = "barline flight log\n"
    static let positionStart = 32
    static let signalStart = 64
    /// The offset of the program's report while it runs, as text.
    private static let accountPlace = 72..<ringStart
    /// The longest line.
    private static let lineBytes = 4096

    private let descriptor: Int32
    private nonisolated(unsafe) let memory: UnsafeMutableRawPointer
    private let path: String
    /// Bytes that were noted in all.
    private let position = Mutex(0)

    /// Begins a log; `nil` where there is no place for one.
    init?(path: String) {
        self.path = path
        let size = FlightLog.ringStart + FlightLog.ringBytes
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        // Allocated now: a page that the disk has no room for would end the program when it is written to.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, posix_fallocate(descriptor, 0, off_t(size)) == 0,
            let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else {
            close(descriptor)
            unlink(path)
            return nil
        }
        self.memory = memory
        memory.copyMemory(from: Array(FlightLog.start.utf8), byteCount: FlightLog.start.utf8.count)
    }

    deinit {
        munmap(memory, FlightLog.ringStart + FlightLog.ringBytes)
        close(descriptor)
    }

    /// Notes a line, with the time.
    func note(_ line: String) {
        let text = "\(FlightLog.time()) \(line)"
        var bytes = Array(text.utf8.prefix(FlightLog.lineBytes)).map { $0 < 32 ? 32 : $0 }
        bytes.append(UInt8(ascii: "\n"))
        position.withLock { position in
            for byte in bytes {
                memory.storeBytes(
                    of: byte, toByteOffset: FlightLog.ringStart + position % FlightLog.ringBytes, as: UInt8.self)
                position += 1
            }
            memory.storeBytes(of: Int64(position), toByteOffset: FlightLog.positionStart, as: Int64.self)
        }
    }

    /// Replaces the program's report.
    func keep(_ account: String) {
        var bytes = Array(account.utf8.prefix(FlightLog.accountPlace.count))
        bytes += [UInt8](repeating: 0, count: FlightLog.accountPlace.count - bytes.count)
        position.withLock { _ in
            (memory + FlightLog.accountPlace.lowerBound).copyMemory(from: bytes, byteCount: bytes.count)
        }
    }

    /// What a program that lives has kept in its log; `nil` where it has ended, has kept nothing, or it is no log.
    static func account(at path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: ringStart)
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, pread(descriptor, &bytes, ringStart, 0) == ringStart,
            bytes.starts(with: start.utf8)
        else { return nil }
        let account = bytes[accountPlace].prefix { $0 != 0 }
        return account.isEmpty ? nil : String(decoding: account, as: UTF8.self)
    }

    /// Notes from a signal's handler that the signal ends the program.
    func noteSignal(_ number: Int32) {
        memory.storeBytes(of: number, toByteOffset: FlightLog.signalStart, as: Int32.self)
    }

    /// The program ends as it should: nobody needs the log.
    func remove() { unlink(path) }

    private static func time() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var seconds = now.tv_sec
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let milliseconds = String(1000 + now.tv_nsec / 1_000_000).dropFirst()
        return "\(1900 + parts.tm_year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T\(two(parts.tm_hour)):"
            + "\(two(parts.tm_min)):\(two(parts.tm_sec)).\(milliseconds)Z"
    }

    // MARK: After the end

    /// What a program that has ended has left in its log: why, and its last lines, the latest last.
    ///
    /// - Parameter path: the log.
    /// - Returns: `nil` where its program lives, or it is no log.
    static func remains(at path: String) -> (signal: Int32, lines: [String])? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let size = ringStart + ringBytes
        var bytes = [UInt8](repeating: 0, count: size)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, pread(descriptor, &bytes, size, 0) == size,
            bytes.starts(with: start.utf8)
        else { return nil }
        let (position, signal) = bytes.withUnsafeBytes {
            (
                Int($0.loadUnaligned(fromByteOffset: positionStart, as: Int64.self)),
                $0.loadUnaligned(fromByteOffset: signalStart, as: Int32.self)
            )
        }
        guard position >= 0 else { return nil }
        let ring = bytes[ringStart...]
        let wrap = ringStart + position % ringBytes
        let kept = position > ringBytes ? Array(ring[wrap...] + ring[..<wrap]) : Array(ring[..<wrap])
        var lines = String(decoding: kept, as: UTF8.self).split(separator: "\n").map(String.init)
        // The oldest one was written over in part.
        if position > ringBytes, !lines.isEmpty { lines.removeFirst() }
        return (signal, lines)
    }
}
