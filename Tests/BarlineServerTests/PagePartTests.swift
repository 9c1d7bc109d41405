import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

/// The page's parts, of which nobody keeps a list: each is a folder of modules with a `part.js`.
@Suite("Parts of the page", .serialized)
struct PagePartTests {
    /// The folders that the page imports parts from, and how many it has in its list.
    private static func parts(_ served: ServedSession) throws -> (folders: [String], count: Int) {
        let answer = try served.request("GET", "/modules/parts.js")
        #expect(answer.status == 200 && answer.headers["content-type"] == "text/javascript; charset=utf-8")
        let text = String(decoding: answer.body, as: UTF8.self)
        let folders = text.split(separator: "\n").filter { $0.hasPrefix("import { part as ") }.compactMap { line in
            line.split(separator: "\"").last?.split(separator: "/").dropFirst().first.map(String.init)
        }
        let list = text.split(separator: "[").last?.split(separator: "]").first?.split(separator: ",")
        return (folders, list?.count ?? 0)
    }

    @Test("The program's page has the pads")
    func builtIn() async throws {
        try await serving { served async throws in
            let parts = try PagePartTests.parts(served)
            #expect(parts.folders == ["pads"] && parts.count == 1)
            #expect(try served.request("GET", "/modules/pads/part.js").status == 200)
        }
    }

    @Test("A folder that is worked on has the parts that lie in it now")
    func folder() async throws {
        let page = try TemporaryFolder()
        func add(_ name: String) throws { try page.write(name, "export const part = {}\n") }
        for name in ["modules/tone/part.js", "modules/a-b/part.js", "modules/ui/dom.js", "modules/tone/deep/part.js"] {
            try add(name)
        }
        try await serving(configure: { $0.pageFolder = URL(fileURLWithPath: page.path, isDirectory: true) }) {
            served async throws in
            #expect(try PagePartTests.parts(served).folders == ["a-b", "tone"])
            try add("modules/pads/part.js")
            let parts = try PagePartTests.parts(served)
            #expect(parts.folders == ["a-b", "pads", "tone"] && parts.count == 3)
        }
    }
}
