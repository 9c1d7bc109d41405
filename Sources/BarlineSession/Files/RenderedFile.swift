import BarlineFiles
import Foundation

/// The files of a render that are named after something in it.
enum RenderedFile {
    /// What a render reads files for, as errors call it.
    static let purpose = "this render"

    /// The file of a strip or a take.
    static func path(of name: String, in folder: String) -> String {
        let name = String(name.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
        return URL(fileURLWithPath: folder).appendingPathComponent("\(name).wav").path
    }

    /// Makes a folder, with those above it, where there is none.
    static func makeFolder(_ path: String) throws(SessionError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .file(path: path, reason: "can't be made a folder: \(systemReason(of: error))")
        }
    }
}
