import BarlineFiles
import Foundation
import NIOCore
import NIOHTTP1

/// The page: a fixed table of routes, each with bytes that are in the program.
struct PageFiles: Sendable {
    private struct File: Sendable {
        let body: ByteBuffer
        let type: String
        let tag: String
    }

    private let files: [String: File]
    private let folder: URL?

    /// - Parameter folder: files that are read again for each request, by those names only that the folder has; for
    ///   those who work on the page.
    init(folder: URL?) {
        self.folder = folder
        var files: [String: File] = [:]
        func add(_ path: String, _ body: ByteBuffer) {
            files[PageFiles.route(path)] = File(body: body, type: PageFiles.type(path), tag: PageFiles.tag(body))
        }
        for (path, contents) in EmbeddedFiles.page { add(path, contents.withUTF8Buffer { ByteBuffer(bytes: $0) }) }
        add(PageFiles.partList, ByteBuffer(string: PageFiles.parts(EmbeddedFiles.page.map(\.path))))
        let modules = PageModules.needed(by: PageFiles.firstModule) { files[$0]?.body.readableBytesView }
        if let page = files["/"] { add("index.html", PageModules.asking(for: modules, page.body)) }
        self.files = files
    }

    /// The module that the page itself names.
    private static let firstModule = "/modules/main.js"

    // MARK: Parts

    /// The module that lists the page's parts.
    private static let partList = "modules/parts.js"

    /// The list of the page's parts: those folders of modules that have a `part.js`, by name.
    ///
    /// - Parameter paths: the page's files.
    /// - Returns: the text of the module.
    static func parts(_ paths: [String]) -> String {
        let folders = paths.compactMap { path -> Substring? in
            let names = path.split(separator: "/")
            return names.count == 3 && names[0] == "modules" && names[2] == "part.js" ? names[1] : nil
        }.sorted()
        let imports = folders.enumerated().map { number, folder in
            "import { part as part\(number) } from \"./\(folder)/part.js\"\n"
        }
        let names = folders.indices.map { "part\($0)" }.joined(separator: ", ")
        return imports.joined() + "\nexport const parts = [\(names)]\n"
    }

    // MARK: Answers

    func response(to request: Request) -> Response? {
        if let folder { return PageFiles.read(request.path, in: folder) }
        guard let file = files[request.path] else { return nil }
        let headers = [("Content-Type", file.type), ("ETag", file.tag), ("Cache-Control", "no-cache")]
        if request.has(file.tag) {
            return Response(status: .notModified, headers: headers)
        }
        return Response(headers: headers, body: file.body)
    }

    private static func route(_ path: String) -> String { path == "index.html" ? "/" : "/" + path }

    private static func type(_ path: String) -> String {
        switch path.pathEnding {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "json": "application/json; charset=utf-8"
        case "webmanifest": "application/manifest+json; charset=utf-8"
        default: "text/plain; charset=utf-8"
        }
    }

    static func tag(_ body: ByteBuffer) -> String {
        var hash = FNV1a()
        hash.add(body.readableBytesView)
        return "\"\(String(hash.value, radix: 16))\""
    }

    // The table is made of what the folder has; the request only chooses from it.
    private static func read(_ path: String, in folder: URL) -> Response? {
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        guard let name = (names + [partList]).first(where: { route($0) == path }) else { return nil }
        let headers = [("Content-Type", type(name)), ("Cache-Control", "no-store")]
        if name == partList { return Response(headers: headers, body: ByteBuffer(string: parts(names))) }
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else { return nil }
        return Response(headers: headers, body: ByteBuffer(bytes: data))
    }
}
