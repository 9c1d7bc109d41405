import Foundation

// Writes a Swift file with the text files of two folders: PageEmbedder OUTPUT PAGE DOCUMENTS.
// Literals are strings, which the compiler takes in as they are; a list of bytes would take it minutes.

let suffixes: Set<String> = ["html", "css", "js", "svg", "json", "webmanifest", "txt"]

/// The files of a folder and its folders as the elements of a list.
func elements(of folder: String) throws -> String {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    var text = ""
    for name in names.sorted() where suffixes.contains((name as NSString).pathExtension) {
        let contents = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        var marks = "#"
        while contents.contains("\"\"\"" + marks) || contents.contains("\\" + marks) { marks += "#" }
        text += "(\"\(name)\", \(marks)\"\"\"\n\(contents)\n\"\"\"\(marks)),\n"
    }
    return text
}

let text = """
    /// The page's files and other documents, as they were when the program was built.
    enum EmbeddedFiles {
        static let page: [(path: String, contents: StaticString)] = [
    \(try elements(of: CommandLine.arguments[2]))
        ]
        static let documents: [(path: String, contents: StaticString)] = [
    \(try elements(of: CommandLine.arguments[3]))
        ]
    }

    """
try text.write(to: URL(fileURLWithPath: CommandLine.arguments[1]), atomically: true, encoding: .utf8)
