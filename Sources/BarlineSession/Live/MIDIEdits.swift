/// The edits of mappings.
enum MIDIEdits {
    static let verbs: [Verb<DocumentEdit>] = [edit, add, remove]

    private static let edit = Verb(
        "editMIDI", "Sets any keys of the session's `midi`.", kind: .edit,
        .set(.midi)
    ) { changes in
        DocumentEdit("Edit MIDI") { document, _ throws(SessionError) in
            _ = try MIDIDocument(ObjectReader(.object(changes), file: document.name, path: "midi"))
            if case .object(let values) = MIDIDocument(document).json {
                document.rest["midi"] = .object(values.merging(changes) { $1 })
            }
            document.rest["midi"] = MIDIDocument(document).json
            return [:]
        }
    }

    private static let add = Verb(
        "addMapping", "Maps a control, in the place of what it did before.", kind: .edit, .mapping,
        make: DocumentEdit.adding)

    private static let remove = Verb(
        "removeMapping", "Takes a mapping out of the list.", kind: .edit, .required("index", .place)
    ) { index in
        DocumentEdit("Remove mapping") { document, context throws(SessionError) in
            var midi = MIDIDocument(document)
            guard midi.entries.indices.contains(index) else { throw context.unknown("index", "\(index)") }
            midi.entries.remove(at: index)
            document.rest["midi"] = midi.json
            return [:]
        }
    }
}

extension DocumentEdit {
    /// Maps a control, in the place of what it did before.
    @Sendable package static func adding(_ mapping: MIDIDocument.Mapping) -> DocumentEdit {
        DocumentEdit("Map control") { document, _ throws(SessionError) in
            var midi = MIDIDocument(document)
            midi.entries.removeAll {
                guard case .mapping(let former) = $0 else { return false }
                return (former.message, former.channel, former.number)
                    == (mapping.message, mapping.channel, mapping.number)
            }
            midi.entries.append(.mapping(mapping))
            document.rest["midi"] = midi.json
            return [:]
        }
    }
}

extension VerbArgument where Value == MIDIDocument.Mapping {
    fileprivate static var mapping: VerbArgument {
        let object = ValueType<JSONValue>.object(
            "an object",
            examples: [["message": "cc", "number": 7, "action": ["do": "tap"], "channel": .null]])
        return VerbArgument(
            facts: [ArgumentFacts(key: "mapping", value: object.facts, isRequired: true)],
            read: { reader throws(SessionError) in
                guard let value = reader.value("mapping") else { throw reader.error("mapping", expected: "an object") }
                return try MIDIDocument.Mapping(ObjectReader(value, file: reader.file, path: "mapping"))
            }, write: { $1["mapping"] = $0.json })
    }
}
