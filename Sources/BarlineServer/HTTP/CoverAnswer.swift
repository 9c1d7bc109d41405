import BarlineFiles
import BarlineSession
import NIOCore

/// The cover in the file of a clip, or of an item of the playlist.
///
/// A file's contents are untrusted: only what begins as a picture does is sent, as that kind of picture, and
/// nothing that is larger than a cover.
enum CoverAnswer {
    /// The most bytes that are sent.
    static let limit = 8 << 20

    /// The file that a request means; `nil` where there is none on this machine.
    static func path(_ query: [String: String], _ player: SessionPlayer) -> String? {
        if let id = query["clip"] { return player.clipTable[id]?.audio?.path }
        guard let id = query["item"], let item = player.playlist.documents.first(where: { $0.id == id }),
            !item.file.contains("://")
        else { return nil }
        return player.playlist.path(of: item.file)
    }

    /// The picture in a file, or that there is none.
    static func response(path: String) -> Response {
        guard let cover = try? CoverArt.read(path: path), let type = cover.recognizedType,
            cover.bytes.count <= limit
        else { return Response(status: .noContent).with("Cache-Control", "no-cache") }
        let body = ByteBuffer(bytes: cover.bytes)
        return Response(headers: [("Content-Type", type.rawValue)], body: body)
            .with("ETag", PageFiles.tag(body)).with("Cache-Control", "private, no-cache")
    }
}
