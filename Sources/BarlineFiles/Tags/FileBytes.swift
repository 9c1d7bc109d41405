import Foundation

/// A file's bytes, read where they are asked for.
final class FileBytes {
    /// The length in bytes.
    let size: Int

    private let descriptor: Int32

    init(path: String) throws(AudioFileError) {
        let (descriptor, size) = try RegularFile.open(path)
        self.descriptor = descriptor
        self.size = Int(size)
    }

    deinit { close(descriptor) }

    /// `count` bytes from `offset` on; `nil` where the file has not so many.
    func bytes(at offset: Int, _ count: Int) -> [UInt8]? {
        guard offset >= 0, count >= 0, count <= size, offset <= size - count else { return nil }
        var buffer = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &buffer, count, off_t(offset)) == count ? buffer : nil
    }

    /// Whether a mark is at `offset`.
    func has(_ mark: String, at offset: Int) -> Bool { bytes(at: offset, mark.utf8.count) == Array(mark.utf8) }
}

/// Takes pieces from the front of some bytes, and says where there are not enough.
struct ByteCursor {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { rest = Array(bytes)[...] }

    /// The next `count` bytes; `nil` where there are fewer.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// The next four bytes as a number.
    mutating func takeBigEndian() -> Int? { take(4)?.bigEndian }
    /// The next four bytes as a number.
    mutating func takeLittleEndian() -> Int? { take(4)?.littleEndian }

    /// The bytes before the next zero, which is taken too; `nil` where there is none.
    mutating func takeThroughZero() -> ArraySlice<UInt8>? {
        guard let zero = rest.firstIndex(of: 0) else { return nil }
        defer { rest = rest[(zero + 1)...] }
        return rest[..<zero]
    }
}
