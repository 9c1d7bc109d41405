import BarlineSession
import NIOCore

/// The description of the HTTP part for programs.
enum OpenAPI {
    /// The document, as text. Its version is the program's.
    static let document = ByteBuffer(string: text)

    private static var text: String {
        let file = EmbeddedFiles.documents.first { $0.path == "openapi.json" }.map { "\($0.contents)" } ?? "{}"
        guard case .object(var values)? = try? JSONValue(parsing: file), case .object(var info)? = values["info"] else {
            return file
        }
        info["version"] = .string(Program.version)
        values["info"] = .object(info)
        return JSONValue.object(values).line
    }
}
