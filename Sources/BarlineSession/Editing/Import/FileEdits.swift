/// The edits of where a session's files are.
enum FileEdits {
    static let verbs: [Verb<DocumentEdit>] = [
        Verb(
            "findFiles",
            "Looks for the session's files that are not where it says, by their names: among `files`, which may have another "
                + "ending, then in the session's folder and the library, of which each is one file and none that the session "
                + "has. Reads again what could not be read. The `result` has what was `found` and is `missing` still.",
            kind: .edit, .chosenFiles
        ) { files in
            DocumentEdit("Find missing files", rereads: true) { document, context throws(SessionError) in
                var given: [FileSearch.Candidate] = []
                for file in files {
                    let path = try context.media.file(file.file, source: context.source, key: "files")
                    given.append(FileSearch.Candidate(path, title: file.title))
                }
                let search = FileSearch(for: document.files, given: given, in: context.media)
                document = document.withFiles { search.found[$0] ?? $0 }
                let found = search.found.sorted { $0.key < $1.key }
                return [
                    "found": .array(found.map { ["file": .string($0.key), "at": .string($0.value)] }),
                    "missing": .array(search.missing.map(JSONValue.string)),
                ]
            }
        }
    ]
}

extension VerbArgument where Value == [ImportedFile] {
    /// Files that were chosen, if any were.
    fileprivate static var chosenFiles: VerbArgument {
        var type = ValueFacts(.list, expected: "a list of at most \(ImportedFile.limit) files")
        type.examples = [["audio/Kick.wav", ["file": "audio/take 7.flac", "name": "Snare"]]]
        return VerbArgument(
            facts: [ArgumentFacts(key: "files", value: type, isRequired: false)],
            read: { reader throws(SessionError) in reader.has("files") ? try ImportedFile.list(&reader) : [] },
            write: { files, values in if !files.isEmpty { values["files"] = .array(files.map(\.json)) } })
    }
}
