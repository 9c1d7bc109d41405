import BarlineAnalysis
import BarlineEngine
import Foundation

/// A change of the session, as the page and other programs ask for it: one step of undo.
package struct DocumentEdit: Sendable {
    /// What is done, for the undo button.
    let label: String
    /// Edits with one key that follow each other closely are one step: a fader that is moved, a loop point that is
    /// dragged.
    let mergeKey: String?
    /// The clip that is to be listened to before.
    let listensTo: String?
    /// The clip whose beats and attacks are to be known before.
    let asksForRhythmOf: String?
    /// The clips that are to be moved to where they were played; `nil` for none.
    let aligns: AlignmentRequest?
    /// The loop whose sound is to be rendered before.
    let flattens: String?
    /// Whether what could not be read is read again.
    let rereads: Bool
    /// Whether rows go elsewhere, with what is in them.
    let movesRows: Bool
    /// The files that it brings in, which are looked at before; `nil` for none.
    let imports: (@Sendable (EditContext) -> ImportRequest)?
    let apply: Body

    typealias Body =
        @Sendable (inout SessionDocument, EditContext) throws(SessionError) -> [String: JSONValue]

    init(
        _ label: String, mergeKey: String? = nil, listensTo: String? = nil, asksForRhythmOf: String? = nil,
        aligns: AlignmentRequest? = nil, flattens: String? = nil, rereads: Bool = false,
        movesRows: Bool = false,
        imports: (@Sendable (EditContext) -> ImportRequest)? = nil, _ apply: @escaping Body
    ) {
        self.label = label
        self.mergeKey = mergeKey
        self.listensTo = listensTo
        self.asksForRhythmOf = asksForRhythmOf
        self.aligns = aligns
        self.flattens = flattens
        self.rereads = rereads
        self.movesRows = movesRows
        self.imports = imports
        self.apply = apply
    }
}

/// The context of an edit, beside the document.
struct EditContext: Sendable {
    /// What errors call the action.
    let source: String
    let clips: SharedTable<ClipBinding>
    /// Looks up where audio may be, which takes questions to the file system.
    let findMedia: @Sendable () -> MediaFolders
    /// What is heard in the region of the clip that was to be listened to.
    var estimate: TempoEstimate?
    /// Beats and attacks of the clip whose were to be known.
    var rhythm = ClipRhythm()
    /// What is known of the files that the edit brings in.
    var survey = ImportSurvey()
    /// The loudness of the set before the edit in LUFS; `nil` where nobody measured it, or there is none.
    var reference: Double?
    /// How the stems lie on the grid; `nil` where their tempo is not known.
    var stemGrid: StemGrid?
    /// What is recorded, and stays where it is.
    var recorded = RecordedPlaces()
    /// What becomes of clips that are to be moved to where they were played.
    var alignments: [String: ClipAlignment.Result] = [:]
    /// The loop that is to become what it sounds like.
    var flattened: FlattenedClip?

    var media: MediaFolders { findMedia() }

    func error(_ key: String, expected: String, found: String) -> SessionError {
        .value(path: source, key: key, expected: expected, found: found)
    }

    /// The file that `set` gives, as a document names it, which is one of the session's folder or the library; the file
    /// that was there before stays as it is.
    func file(_ file: String, over former: String) throws(SessionError) -> String {
        file == former ? file : try media.file(file, source: source, key: "set.file")
    }

    func unknown(_ key: String, _ id: String) -> SessionError { .unknown(path: source, key: key, id: id) }

    /// A thing of the document, of which there may be many, with some keys set; `standard` is what they are that are
    /// missing.
    func edited<Document: KeyedDocument>(
        _ document: Document, _ changes: [String: JSONValue], standard: Document = .standard
    ) throws(SessionError) -> Document {
        try document.setting(
            changes.filter { $0.key != "id" && $0.key != "clips" }, standard: standard, file: source, path: "set")
    }

    /// The object of a thing of the document with some keys set, for reading it again.
    func merged(_ json: JSONValue, _ changes: [String: JSONValue], key: String) throws(SessionError) -> ObjectReader {
        guard case .object(var values) = json else { throw error(key, expected: "an object", found: json.summary) }
        for (name, value) in changes where name != "id" && name != "clips" { values[name] = value }
        return try ObjectReader(.object(values), file: source, path: key)
    }
}

extension SessionDocument {
    /// An identifier that nothing in `taken` has, made from a name.
    static func identifier(for name: String, taken: Set<String>) -> String {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
        let base = words.isEmpty ? "item" : String(words.prefix(40))
        if !taken.contains(base) { return base }
        var number = 2
        while taken.contains("\(base)-\(number)") { number += 1 }
        return "\(base)-\(number)"
    }

    /// Where a clip is.
    func place(ofClip id: String, _ context: EditContext) throws(SessionError) -> (track: Int, clip: Int) {
        for (index, track) in tracks.enumerated() {
            if let clip = track.clips.firstIndex(where: { $0.id == id }) { return (index, clip) }
        }
        throw context.unknown("clip", id)
    }

    func place(ofTrack id: String, _ context: EditContext) throws(SessionError) -> Int {
        guard let index = tracks.firstIndex(where: { $0.id == id }) else { throw context.unknown("track", id) }
        return index
    }
}

extension Array {
    /// Moves an element to where it will have `target` for an index.
    mutating func moveElement(from source: Int, to target: Int) {
        let element = remove(at: source)
        insert(element, at: Swift.max(0, Swift.min(count, target)))
    }
}
