import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// JSON that is nested so deep that nobody means it.
@Suite("Nesting", .fewAtATime)
struct NestingTests {
    private func session(_ depth: Int) -> String {
        // The session itself is one of them; brackets in texts are none.
        let lists = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
        return #"{"barline": 1, "name": "\\[[[\"[[[[", "mine": "# + lists + "}"
    }

    @Test("What is nested 32 deep is read and kept; what is nested deeper is refused in words, at once")
    func bounds() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.barline", session(32))
        let document = try SessionDocument(path: path)
        #expect(document.name == #"\[[["[[[["#)
        try document.write(to: path)
        #expect(try SessionDocument(path: path) == document)
        for depth in [33, 400, 100_000] {
            try folder.write("a.barline", session(depth))
            let error = try #require(throws: SessionError.self) { try SessionDocument(path: path) }
            #expect("\(error)".contains("nested more than 32 deep"), "\(error)")
        }
        #expect(throws: (any Error).self) { try JSONValue(parsing: String(repeating: "[", count: 60_000)) }
    }
}
