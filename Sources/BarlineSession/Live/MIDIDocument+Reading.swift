/// Reading what was written by hand, or by a later version: what can't be used is left out, and stays in the session.
extension MIDIDocument {
    /// An entry of the list of controls.
    enum Entry: Hashable, Sendable {
        /// A control, and what it does.
        case mapping(Mapping)
        /// What this version can't use.
        case unread(JSONValue)

        var json: JSONValue {
            switch self {
            case .mapping(let mapping): mapping.json
            case .unread(let value): value
            }
        }
    }

    /// Reads the session's key `midi`; what is missing has its default, and so has what can't be used.
    package init(_ document: SessionDocument) { self = MIDIDocument.reading(document, file: document.name).midi }

    /// What of the session's key `midi` is left out, and why; `file` is what it calls the session.
    ///
    /// - Complexity: O(*n*) in the mappings.
    package static func warnings(of document: SessionDocument, file: String) -> [SessionWarning] {
        document.rest["midi"] == nil ? [] : reading(document, file: file).problems
    }

    private static func reading(_ document: SessionDocument, file: String) -> (
        midi: MIDIDocument, problems: [SessionWarning]
    ) {
        var midi = MIDIDocument()
        var problems: [SessionWarning] = []
        func leaveOut(_ what: String, _ error: SessionError) {
            problems.append(
                SessionWarning("\(error), which is left out", words: "MIDI: \(what) is left out. \(error.words)"))
        }
        guard let value = document.rest["midi"] else { return (midi, []) }
        do throws(SessionError) {
            var reader = try ObjectReader(value, file: file, path: "midi")
            for key in keys {
                do throws(SessionError) {
                    try key.read(&reader, &midi)
                } catch {
                    let value = reader.value(key.facts.key) ?? .null
                    guard key.facts.key == "mappings", case .array(let list) = value else {
                        midi.unread[key.facts.key] = value
                        leaveOut("\"\(key.facts.key)\"", error)
                        continue
                    }
                    midi.entries = []
                    for (index, entry) in list.enumerated() {
                        do throws(SessionError) {
                            let place = reader.key("mappings[\(index)]")
                            let mapping = try Mapping(ObjectReader(entry, file: file, path: place))
                            midi.entries.append(.mapping(mapping))
                        } catch {
                            midi.entries.append(.unread(entry))
                            leaveOut("control \(index + 1) of the list", error)
                        }
                    }
                }
            }
            midi.rest = reader.rest
        } catch {
            leaveOut("all of it", error)
        }
        return (midi, problems)
    }
}
