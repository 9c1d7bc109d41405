import Foundation

/// The lines of standard input: one that never ends does not fill the memory.
struct InputLines {
    enum Line {
        case text(String)
        /// It has more than ``InputLines/limit`` bytes, and was passed over.
        case tooLong
    }

    /// The most bytes of a line: what the page's address takes in one request.
    static let limit = 1 << 20

    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    /// What was read and is in no line yet.
    private var rest = 0..<0

    /// The next line, without its end; `nil` at the end of the input. Waits for it.
    mutating func next() -> Line? {
        var line: [UInt8] = []
        var hasBytes = false
        var isTooLong = false
        while true {
            if rest.isEmpty, !fill() {
                if !hasBytes { return nil }
                break
            }
            hasBytes = true
            let end = buffer[rest].firstIndex(of: UInt8(ascii: "\n")) ?? rest.upperBound
            if line.count + end - rest.lowerBound > InputLines.limit {
                isTooLong = true
                line = []
            }
            if !isTooLong { line += buffer[rest.lowerBound..<end] }
            let isComplete = end < rest.upperBound
            rest = min(end + 1, rest.upperBound)..<rest.upperBound
            if isComplete { break }
        }
        return isTooLong ? .tooLong : .text(String(decoding: line, as: UTF8.self))
    }

    /// Reads on; `false` at the end of the input.
    private mutating func fill() -> Bool {
        var count = 0
        repeat {
            count = buffer.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
        } while count < 0 && errno == EINTR
        rest = 0..<max(0, count)
        return count > 0
    }
}
