import BarlineFiles
import Foundation

/// The edits that import files: each gets a place of its own, in one step.
enum ImportEdits {
    static let verbs: [Verb<DocumentEdit>] = [
        Verb(
            "importFiles",
            "Brings uploaded files in, at most \(ImportedFile.limit), down a track or in other ways ([Import](#import)).",
            kind: .edit,
            forms: [
                Form(when: ["to": "stems"], .files, make: importStems)
            ] + SessionParts.edited.flatMap { $0.imports } + [
                Form(
                    .files, .to,
                    .standard("tracks", ValueType<ImportSpread>.word, .one), .optional("track", .text),
                    .standard("name", .text, "Imported"), .standard("slot", .row, 0),
                    .standard("replace", .flag, false),
                    make: importClips)
            ]),
        importFolder,
    ]

    @Sendable private static func importClips(
        _ files: [ImportedFile], _: String, spread: ImportSpread, track: String?, name: String, slot: Int,
        replaces: Bool
    ) -> DocumentEdit {
        DocumentEdit(
            files.count == 1 ? "Import file" : "Import files",
            imports: { ImportRequest(kind: .clips, paths: $0.paths(files)) },
            { document, context throws(SessionError) in
                var place = ImportPlace(spread: spread, slot: slot, replaces: replaces)
                if let track { place.track = try document.place(ofTrack: track, context) }
                var report = ImportReport()
                for file in files {
                    guard let path = report.take(file, context) else { continue }
                    let title = file.title ?? SessionDocument.title(of: path)
                    let index = place.track(for: title, named: name, in: &document)
                    let row = place.row(on: document.tracks[index], context)
                    report.add(document.importClip(path, title, to: index, row: row, context))
                }
                return try report.result()
            })
    }

    @Sendable private static func importStems(_ files: [ImportedFile]) -> DocumentEdit {
        DocumentEdit(
            files.count == 1 ? "Add stem" : "Add stems",
            imports: { ImportRequest(kind: .stems, paths: $0.paths(files)) },
            { document, context throws(SessionError) in
                var report = ImportReport()
                for file in files {
                    guard let path = report.take(file, context) else { continue }
                    let stem = document.newStem(path, title: file.title ?? SessionDocument.title(of: path))
                    document.stems.append(stem)
                    report.add(stem.id, to: "stems")
                }
                return try report.result()
            })
    }

    private static let importFolder = Verb(
        "importFolder",
        "Brings in every audio file of a folder of the session's, with a track for each of its folders.",
        kind: .edit, .standard("folder", .text, ".")
    ) { folder in
        DocumentEdit(
            "Import folder",
            imports: { context in
                let files = try? context.media.audioFiles(in: folder, source: context.source)
                return ImportRequest(
                    kind: .clips, paths: (files ?? []).map { context.path(of: context.media.relative($0)) })
            },
            { document, context throws(SessionError) in
                let files = try context.media.audioFiles(in: folder, source: context.source)
                let known = Set(document.tracks.flatMap(\.clips).map(\.file))
                var report = ImportReport()
                for path in files {
                    let file = context.media.relative(path)
                    if known.contains(file) { continue }
                    guard report.take(ImportedFile(file: file, title: nil), context) != nil else { continue }
                    let name = path.folderPath.lastPathName
                    let track = document.trackNamed(name)
                    let row = context.freeSlot(of: document.tracks[track])
                    report.add(
                        document.importClip(file, SessionDocument.title(of: file), to: track, row: row, context))
                }
                return try report.result()
            })
    }
}

extension VerbArgument where Value == String {
    /// Clips; what brings stems or parts in is another form.
    fileprivate static var to: VerbArgument {
        let forms = SessionParts.edited.flatMap { $0.imports }.flatMap(\.facts.constants)
        let words =
            ["clips", "stems"] + forms.compactMap { if case .string(let word) = $0.value { word } else { nil } }
        var facts = ValueFacts(.text, expected: words.map { "\"\($0)\"" }.joined(separator: " or "))
        facts.words = ["clips"]
        let type = ValueType<String>(
            facts: facts,
            read: { [facts] reader, key throws(SessionError) in
                guard let word = try reader.string(key) else { return nil }
                if !words.contains(word) { throw reader.error(key, expected: facts.expected) }
                return word
            }, write: JSONValue.string)
        return standard("to", type, "clips")
    }
}

extension VerbArgument where Value == [ImportedFile] {
    /// The files of an import.
    static var files: VerbArgument {
        var type = ValueFacts(.list, expected: "a list of at most \(ImportedFile.limit) files")
        type.examples = [["audio/Kick.wav", ["file": "audio/Snare.wav", "name": "Snare, dry"]]]
        return VerbArgument(
            facts: [ArgumentFacts(key: "files", value: type, isRequired: true)],
            read: { reader throws(SessionError) in try ImportedFile.list(&reader) },
            write: { files, values in values["files"] = .array(files.map(\.json)) })
    }
}

extension EditContext {
    /// The path of a file that the document names.
    func path(of file: String) -> String { URL(fileURLWithPath: file, relativeTo: media.session).path }

    /// The paths of the files that may be read at all.
    func paths(_ files: [ImportedFile]) -> [String] {
        files.compactMap { file in
            (try? media.file(file.file, source: source, key: "files")).map(path)
        }
    }
}

extension SessionDocument {
    /// What a file is called when nobody has named it.
    static func title(of file: String) -> String {
        let name = file.lastPathName.withoutPathEnding
        return name.isEmpty ? "Clip" : name
    }

    /// The track with a name; a new one where there is none.
    mutating func trackNamed(_ name: String) -> Int {
        tracks.firstIndex { $0.name == name } ?? addTrack(name)
    }

    /// Adds a track at the right.
    mutating func addTrack(_ name: String) -> Int {
        let id = SessionDocument.identifier(for: name, taken: Set(tracks.map(\.id)))
        tracks.append(TrackDocument(id: id, name: name))
        return tracks.count - 1
    }

    /// Makes a file a clip, in the colour of its track and as loud as the set; what is in its place is replaced.
    fileprivate mutating func importClip(
        _ file: String, _ title: String, to track: Int, row: Int, _ context: EditContext
    ) -> ImportReport.Placed {
        let id = SessionDocument.identifier(for: title, taken: clipIdentifiers)
        var clip = ClipDocument(id: id, name: title, file: file, slot: row)
        clip.color = assignColour(ofTrack: track)
        var matched: Double?
        if case .success(let sound)? = context.survey.sounds[context.path(of: file)] {
            matched = importLoudness.gain(for: sound.level, to: context.reference)
            clip.gain = matched ?? 0
            clip.bpm = sound.tempo(called: title, storedAs: file)
        }
        clip.loopAsRecorded(context.path(of: file))
        tracks[track].clips.removeAll { $0.slot == row }
        tracks[track].clips.append(clip)
        return ImportReport.Placed(clip: id, name: title, track: tracks[track].id, slot: row, matched: matched)
    }
}

extension ImportSurvey.Sound {
    /// The tempo that the name of an import gives, where its content is stored under a name that gives none or another.
    /// What the file says of itself goes before names.
    fileprivate func tempo(called title: String, storedAs file: String) -> Double? {
        guard let metadata = audio?.metadata, metadata.beats == nil else { return nil }
        let stored = AudioMetadata.tempo(inName: file.lastPathName)
        if let tempo = metadata.tempo, tempo != stored { return nil }
        let tempo = AudioMetadata.tempo(inName: title)
        return tempo == stored ? nil : tempo
    }
}
