import NIOCore

/// The description of the HTTP part for programs.
enum OpenAPI {
    /// The document, as text.
    static let document = ByteBuffer(
        string: EmbeddedFiles.documents.first { $0.path == "openapi.json" }.map { "\($0.contents)" } ?? "{}")
}
