import Foundation
import NIOCore

/// A part of a file as the body of an answer: it is read while it is sent, whatever its length.
final class FileBody: Sendable {
    /// The bytes of the whole file.
    let fileBytes: Int64
    /// Those that are sent.
    let range: Range<Int64>
    private let descriptor: Int32

    /// How much is in memory at a time.
    private static let piece = 256 << 10

    /// Opens a file; `nil` where there is none.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - asked: the header `Range`: one range of bytes is understood (RFC 9110, 14.2), anything else is the whole file.
    init?(path: String, range asked: String?) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        let bytes = Int64(status.st_size)
        fileBytes = bytes
        range = asked.flatMap { FileBody.range($0, of: bytes) } ?? 0..<bytes
    }

    deinit { close(descriptor) }

    /// Whether it is less than the file.
    var isPart: Bool { range.count < fileBytes }

    private static func range(_ text: String, of bytes: Int64) -> Range<Int64>? {
        guard text.hasPrefix("bytes="),
            case let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false),
            ends.count == 2
        else { return nil }
        switch (Int64(ends[0]), Int64(ends[1])) {
        case (let first?, let last?) where first >= 0 && first <= last && first < bytes:
            return first..<min(last, bytes - 1) + 1
        case (let first?, nil) where first >= 0 && first < bytes && ends[1].isEmpty: return first..<bytes
        case (nil, let count?) where count > 0 && bytes > 0 && ends[0].isEmpty: return max(0, bytes - count)..<bytes
        default: return nil
        }
    }

    /// The next bytes behind `done`; none where the file has become shorter or can't be read. May wait for the disk.
    func read(after done: Int64) -> ByteBuffer {
        let count = Int(min(Int64(FileBody.piece), Int64(range.count) - done))
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { memory in
            max(0, pread(descriptor, memory.baseAddress, count, off_t(range.lowerBound + done)))
        }
        return buffer
    }
}
