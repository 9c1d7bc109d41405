import BarlineServer
import Foundation

// Writes what is made from the declarations of verbs and of the document's keys: the schemas of the OpenAPI document,
// the tables of docs/protocol.md and docs/session.md, and what the page knows of effects.
//
// usage: ReferenceWriter FOLDER, which is that of the package

do {
    guard CommandLine.arguments.count == 2 else {
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "usage: ReferenceWriter FOLDER"])
    }
    let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
    for (path, made) in Reference.files {
        let file = folder.appendingPathComponent(path)
        let old = try String(contentsOf: file, encoding: .utf8)
        let new = try made(old)
        if new != old { try Data(new.utf8).write(to: file) }
    }
} catch {
    FileHandle.standardError.write(Data("ReferenceWriter: \(error)\n".utf8))
    exit(1)
}
