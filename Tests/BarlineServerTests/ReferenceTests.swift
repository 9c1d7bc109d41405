import BarlineServer
import Foundation
import Testing

/// What is said of verbs and keys in files that are committed is what their declarations say.
@Suite("Reference")
struct ReferenceTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("What is made of the declarations is what they say: else run `make reference`")
    func committed() throws {
        for (path, made) in Reference.files {
            let text = try String(contentsOf: ReferenceTests.root.appendingPathComponent(path), encoding: .utf8)
            let new = try made(text)
            let differing = zip(text.split(separator: "\n"), new.split(separator: "\n")).first { $0 != $1 }
            #expect(new == text, "\(path): \(String(describing: differing))")
        }
        #expect(Reference.files.count == 4)
    }

    @Test("Every verb is in a table, in the OpenAPI document and, where it has an address, in the table of OSC")
    func complete() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: ReferenceTests.root.appendingPathComponent(path), encoding: .utf8)
        }
        let (page, document) = (try text("docs/protocol.md"), try text("Sources/BarlineServer/Embedded/openapi.json"))
        for verb in Reference.verbs {
            #expect(page.contains("\n| `\(verb.word)` |"), "\(verb.word)")
            #expect(document.contains("\"Action.\(verb.word)\""), "\(verb.word)")
            #expect(page.contains("`/barline/\(verb.word)`") == (verb.osc != nil), "\(verb.word)")
        }
    }
}
