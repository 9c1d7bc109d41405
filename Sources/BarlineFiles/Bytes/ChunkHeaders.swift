/// The chunks of a RIFF or AIFF file: each has four letters, a length, and a body that begins on an even byte.
///
/// Only headers are read, and of a file with more chunks than a program would write only the first 10 000.
struct ChunkHeaders: Sequence, IteratorProtocol {
    /// A chunk.
    struct Chunk {
        /// Its four letters.
        let name: String
        /// Where its body begins, in bytes from the file's start.
        let body: Int
        /// The bytes of its body, as it says.
        let length: Int
    }

    private static let limit = 10_000
    private let isBigEndian: Bool
    private let read: (_ offset: Int, _ count: Int) -> [UInt8]?
    private var offset: Int
    private var count = 0

    /// The chunks of a form.
    ///
    /// - Parameters:
    ///   - start: where the form begins.
    ///   - isBigEndian: whether lengths are as AIFF has them, and not as RIFF has them.
    ///   - read: returns so many bytes from an offset, or `nil` where there are fewer.
    init(at start: Int = 0, isBigEndian: Bool, read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]?) {
        self.isBigEndian = isBigEndian
        self.read = read
        // The form's own header, and its kind.
        offset = start + 12
    }

    /// The next chunk.
    mutating func next() -> Chunk? {
        guard count < ChunkHeaders.limit, let header = read(offset, 8) else { return nil }
        let length = isBigEndian ? header[4...].bigEndian : header[4...].littleEndian
        let chunk = Chunk(name: String(decoding: header[..<4], as: UTF8.self), body: offset + 8, length: length)
        offset = chunk.body + length + length % 2
        count += 1
        return chunk
    }
}
