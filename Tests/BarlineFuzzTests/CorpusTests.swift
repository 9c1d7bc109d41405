import BarlineFuzz
import Foundation
import Testing

/// What fuzzing begins with and what it has found, taken in again at every boundary: nothing ends the process or breaks
/// a promise.
@Suite("Inputs of all boundaries", .serialized, .timeLimit(.minutes(10)))
struct CorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Corpora", isDirectory: true)

    private func names(_ boundary: String) throws -> [String] {
        let folder = CorpusTests.folder.appendingPathComponent(boundary, isDirectory: true)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("Every input is taken in or refused, and what was taken in can be written and read again")
    func inputs() async throws {
        for boundary in try await FuzzBoundary.all() {
            let names = try names(boundary.name)
            #expect(!names.isEmpty, "\(boundary.name) has no inputs")
            for name in names {
                let file = CorpusTests.folder.appendingPathComponent("\(boundary.name)/\(name)")
                let input = Array(try Data(contentsOf: file))
                do {
                    try boundary(input)
                } catch {
                    Issue.record("\(boundary.name)/\(name): \(error)")
                }
            }
        }
    }

    @Test("Every folder of inputs is of a boundary")
    func folders() async throws {
        let known = Set(try await FuzzBoundary.all().map(\.name))
        let folders = try FileManager.default.contentsOfDirectory(atPath: CorpusTests.folder.path)
        #expect(Set(folders) == known)
    }

    @Test("A journal cut anywhere, and with any byte changed, leaves no take that can't be played")
    func journals() async throws {
        let boundaries = try await FuzzBoundary.all()
        let journal = try #require(boundaries.first { $0.name == "journal" })
        for name in try names("journal") {
            let file = CorpusTests.folder.appendingPathComponent("journal/\(name)")
            let whole = Array(try Data(contentsOf: file))
            let step = max(1, whole.count / 60)
            for end in stride(from: 0, to: whole.count, by: step) {
                try journal(Array(whole[..<end]))
                var changed = whole
                changed[end] ^= 0x15
                try journal(changed)
            }
        }
    }
}
