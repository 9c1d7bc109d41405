import Foundation
import Testing

@testable import BarlineCommand

/// The program's log, whoever reads it.
@Suite("The log's writer")
struct LogWriterTests {
    /// What comes out of a pipe until `isDone`, or until nothing has come for a while.
    private func text(_ descriptor: Int32, until isDone: (String) -> Bool) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while !isDone(String(decoding: bytes, as: UTF8.self)), poll(&request, 1, 5_000) > 0 {
            let count = read(descriptor, &piece, piece.count)
            if count <= 0 { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("Lines arrive whole and in order")
    func order() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let writer = LogWriter(ends[1])
        let lines = (0..<200).map { "line \($0) of the log\n" }
        for line in lines { writer.write(line) }
        #expect(text(ends[0]) { $0.hasSuffix("line 199 of the log\n") } == lines.joined())
    }

    @Test("Nobody waits for a pipe that nobody reads, and what is missing is counted once it is read")
    func stalled() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let writer = LogWriter(ends[1])
        let line = String(repeating: "x", count: 63) + "\n"
        // Many times what a pipe and the queue hold; it would not return where it waited.
        for _ in 0..<20 * LogWriter.limit { writer.write(line) }
        writer.flush(seconds: 0.05)
        func counts(_ text: String) -> (shown: Int, missing: Int) {
            let lines = text.split(separator: "\n")
            let missing = lines.filter { $0.hasSuffix("did not fit and are missing") }
            return (
                lines.filter { $0.first == "x" }.count,
                missing.reduce(0) { $0 + (Int($1.split(separator: " ")[1]) ?? 0) }
            )
        }
        let total = 20 * LogWriter.limit
        let (shown, missing) = counts(text(ends[0]) { counts($0).shown + counts($0).missing >= total })
        #expect(shown + missing == total && shown >= LogWriter.limit && missing > 0)
    }
}
