/// The layout of imported files.
enum ImportSpread: String, CaseIterable, Sendable {
    /// One after the other, down one track.
    case one
    /// Each on a track of its own: tracks without clips, then new ones.
    case each
}

/// A file that is to be imported.
struct ImportedFile: Sendable {
    /// Its name, as actions have it.
    let file: String
    /// What its clip is called; `nil` for the file's name.
    let title: String?

    /// The most files of one import.
    static let limit = 512

    static func list(_ reader: inout ObjectReader) throws(SessionError) -> [ImportedFile] {
        guard case .array(let values)? = reader.value("files"), values.count <= limit else {
            throw reader.error("files", expected: "a list of at most \(limit) files")
        }
        var files: [ImportedFile] = []
        for (index, value) in values.enumerated() {
            if case .string(let file) = value {
                files.append(ImportedFile(file: file, title: nil))
                continue
            }
            guard case .object = value else {
                throw reader.error("files", expected: "a list of names, or of objects with \"file\" and \"name\"")
            }
            var entry = try ObjectReader(value, file: reader.file, path: "files[\(index)]")
            let name = try entry.string("name")
            files.append(ImportedFile(file: try entry.requiredString("file"), title: name))
        }
        return files
    }

    /// The file as actions have it.
    var json: JSONValue { title.map { ["file": .string(file), "name": .string($0)] } ?? .string(file) }
}

/// The place of the next imported file.
struct ImportPlace {
    let spread: ImportSpread
    /// The track that was asked for.
    var track: Int?
    /// The first row that a file may have.
    private var slot: Int
    /// Whether clips that are in the way are replaced.
    private let replaces: Bool

    init(spread: ImportSpread, slot: Int, replaces: Bool) {
        (self.spread, self.slot, self.replaces) = (spread, slot, replaces)
    }

    /// The track for a file; a new one where there is none.
    func track(for title: String, named name: String, in document: inout SessionDocument) -> Int {
        switch spread {
        case .one: return track ?? document.trackNamed(name)
        case .each:
            let empty = document.tracks.indices.first { $0 >= track ?? 0 && document.tracks[$0].clips.isEmpty }
            return empty ?? document.addTrack(title)
        }
    }

    /// The row on that track.
    mutating func row(on track: TrackDocument, _ context: EditContext) -> Int {
        let row = replaces ? slot : context.freeSlot(of: track, from: slot)
        if spread == .one { slot = row + 1 }
        return row
    }
}
