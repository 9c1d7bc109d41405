extension DocumentEdit {
    /// What controllers do.
    static func ofMIDI(_ word: String, _ reader: inout ObjectReader) throws(SessionError) -> DocumentEdit? {
        switch word {
        case "editMIDI":
            let changes = try reader.changes()
            return DocumentEdit("Edit MIDI") { document, context throws(SessionError) in
                document.rest["midi"] = context.values(
                    try MIDIDocument(document).json, merged: changes)
                document.rest["midi"] = try MIDIDocument(document).json
                return [:]
            }
        case "addMapping":
            guard let value = reader.value("mapping") else { throw reader.error("mapping", expected: "an object") }
            let mapping = try MIDIDocument.Mapping(ObjectReader(value, file: reader.file, path: "mapping"))
            return adding(mapping)
        case "removeMapping":
            let index = try reader.requiredInteger("index", atLeast: 0)
            return DocumentEdit("Remove mapping") { document, context throws(SessionError) in
                var midi = try MIDIDocument(document)
                guard midi.mappings.indices.contains(index) else { throw context.unknown("index", "\(index)") }
                midi.mappings.remove(at: index)
                document.rest["midi"] = midi.json
                return [:]
            }
        default: return nil
        }
    }

    /// Maps a control, in the place of what it did before.
    package static func adding(_ mapping: MIDIDocument.Mapping) -> DocumentEdit {
        DocumentEdit("Map control") { document, _ throws(SessionError) in
            var midi = try MIDIDocument(document)
            midi.mappings.removeAll {
                ($0.message, $0.channel, $0.number) == (mapping.message, mapping.channel, mapping.number)
            }
            midi.mappings.append(mapping)
            document.rest["midi"] = midi.json
            return [:]
        }
    }
}

extension EditContext {
    fileprivate func values(_ json: JSONValue, merged changes: [String: JSONValue]) -> JSONValue {
        guard case .object(let values) = json else { return json }
        return .object(values.merging(changes) { $1 })
    }
}
