import Foundation

extension ScriptAction {
    private static let byWord = Dictionary(verbs.map { ($0.facts.word, $0) }, uniquingKeysWith: { $1 })

    /// Reads an action from its JSON object: `do` and what belongs to it.
    init(_ reader: inout ObjectReader) throws(SessionError) {
        guard let verb = ScriptAction.byWord[try reader.requiredString("do")] else {
            throw reader.unknownAction()
        }
        self = try verb.read(&reader)
    }

    /// Reads an action from one line of JSON; errors refer to it as `source`. Time keys are ignored.
    ///
    /// - Complexity: O(*n*) in the characters.
    public init(json line: String, source: String) throws(SessionError) {
        switch JSONText.parse(Data(line.utf8)) {
        case .failure: throw .file(path: source, reason: "is not valid JSON: \(line)")
        case .success(let value):
            var reader = try ObjectReader(value, file: source, path: "")
            try self.init(&reader)
        }
    }

    /// The verb that an action is of. Every case of the enumeration has one but changes, which write themselves: a test
    /// walks them all.
    private var verb: Verb<ScriptAction>? {
        (ScriptAction.recorded + ScriptAction.verbs).first { $0.write(self) != nil }
    }

    /// The keys of the action's JSON object.
    var json: [String: JSONValue] {
        if case .change(let change) = self { return change.values }
        return verb?.write(self) ?? [:]
    }

    /// Whether it sets something, when its time has come, that stays as it is until it is set again.
    var isSetting: Bool { verb?.label(of: self) != nil && !isAtOnce }

    /// Whether the session keeps what comes of it, where it is done at once.
    package var isKept: Bool { isSetting || self == .tap }

    /// Whether it is done at once, whatever its time: an edit of the playlist, of which only what is heard waits.
    var isAtOnce: Bool {
        if case .playlist(let action) = self { return !action.isCommand }
        return false
    }

    /// What it is called that items leave the list once they were played.
    static let consumption = "Play list items"

    private var isOfPlaylist: Bool { if case .playlist = self { true } else { false } }

    /// What the undo button calls it, by the names that tracks, clips and stems have in a session; by their identifiers
    /// without one.
    func label(in document: SessionDocument?) -> String {
        let label = verb?.label(of: self) ?? (isOfPlaylist ? ScriptAction.consumption : "Change clip")
        switch self {
        case .gain(let strip, _), .pan(let strip, _), .mute(let strip, _), .solo(let strip, _):
            return "\(label) of \(strip.words(in: document))"
        case .send(let strip, let output, _, _): return "\(label) of \(strip.words(in: document)) to \(output)"
        case .effect(let change): return "\(label) of \(change.strip.words(in: document))"
        default: return label
        }
    }

    /// Actions with one key that follow each other closely are one step: a fader that is moved, files that are added.
    var mergeKey: String? {
        switch self {
        case .playlist(.move), .playlist(.remove), .playlist(.replace): nil
        case .effect(let change): "\(label(in: nil)) \(change.effect) \(change.name)"
        default: label(in: nil)
        }
    }
}

extension StripName {
    fileprivate func words(in document: SessionDocument?) -> String {
        switch self {
        case .master: "master"
        case .track(let id): document?.tracks.first { $0.id == id }?.name ?? id
        case .clip(let id): document?.tracks.lazy.flatMap(\.clips).first { $0.id == id }?.name ?? id
        case .stem(let id): document?.stems.first { $0.id == id }?.name ?? id
        case .part(let part): part.rawValue
        }
    }
}

extension EffectStrip {
    fileprivate func words(in document: SessionDocument?) -> String {
        switch self {
        case .track(let id): StripName.track(id).words(in: document)
        case .stem(let id): StripName.stem(id).words(in: document)
        case .master, .part: words
        }
    }
}

extension ValueType where Value == SessionDocument {
    /// A whole session.
    static var session: ValueType {
        var facts = ValueFacts(.object, expected: "a session")
        facts.examples = [["barline": 1]]
        return ValueType(
            facts: facts, read: { reader, key throws(SessionError) in try reader.session(key) }, write: \.json)
    }
}

extension ValueType where Value == [String] {
    /// Identifiers of clips.
    static var identifiers: ValueType {
        var facts = ValueFacts(.list, expected: "a list of identifiers")
        facts.examples = [["take"]]
        return ValueType(
            facts: facts,
            read: { [facts] reader, key throws(SessionError) in
                guard reader.has(key), reader.value(key) != .null else { return nil }
                guard case .array(let values)? = reader.value(key) else {
                    throw reader.error(key, expected: facts.expected)
                }
                let words = values.compactMap { if case .string(let word) = $0 { word } else { nil } }
                if words.count < values.count { throw reader.error(key, expected: facts.expected) }
                return words
            }, write: { .array($0.map(JSONValue.string)) })
    }
}

extension ObjectReader {
    /// Why an object is no action: there is none of that name, or not yet.
    func unknownAction() -> SessionError {
        guard case .string(let word)? = values["do"], ["song", "section"].contains(word) else {
            return error("do", expected: "an action")
        }
        return .unsupported(path: file, key: key("do"), what: "songs can't be played by this version")
    }
}

extension ScriptAction {
    /// Refuses what no line of a script can say: a number out of its bounds, for one.
    ///
    /// - Parameters:
    ///   - file: the file that errors refer to.
    ///   - key: the place in it.
    /// - Throws: ``SessionError``, which names what is out of range.
    /// - Complexity: O(*n*) in its values.
    func checkValues(file: String, key: String) throws(SessionError) {
        var reader = try ObjectReader(.object(json), file: file, path: key)
        let word = try reader.string("do") ?? ""
        _ = try PerformanceScript.action(word, &reader)
    }
}
