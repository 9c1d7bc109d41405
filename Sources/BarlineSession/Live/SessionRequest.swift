/// A request about a session as a whole.
package enum SessionRequest: Hashable, Sendable {
    /// Takes the last edit back.
    case undo
    /// Makes it again.
    case redo
    /// Begins an empty session.
    case new(name: String, discard: Bool)
    /// Opens a session of the library.
    case open(name: String, discard: Bool)
    /// Opens the built-in set.
    case openDemo(discard: Bool)
    /// Saves the session where it is.
    case save
    /// Saves it in the library.
    case saveAs(name: String)
    /// Gives a session of the library another name.
    case renameSession(name: String, to: String)
    /// Deletes a session of the library.
    case deleteSession(name: String)
    /// Makes the session an earlier version of its file.
    case restoreVersion(String)
    /// Takes over an autosave; the latest where none is named.
    case recover(copy: String?)
    /// Throws an autosave away; the latest where none is named.
    case discardRecovery(copy: String?)
    /// Puts out the lights that tell of samples over full scale.
    case resetOvers
    /// Begins or ends a recording.
    case record(isOn: Bool, audio: Bool, tracks: Bool)
    /// Keeps a recording that was broken off, or throws it away.
    case answerRecovery(name: String, keeps: Bool)
    /// Gives the next control that is moved something to do; `nil` for no longer.
    case learn(MIDILearnRequest?)
}

extension SessionRequest {
    /// The verbs, in the order in which they are listed.
    static let verbs: [Verb<SessionRequest>] = history + files + recording

    private static let history = [
        Verb("undo", "Takes the last step back.", kind: .session, osc: [[]], SessionRequest.undo),
        Verb("redo", "Makes it again.", kind: .session, osc: [[]], SessionRequest.redo),
    ]

    private static let files: [Verb<SessionRequest>] = [
        Verb(
            "new", "Begins an empty session. The sound that plays stops.", kind: .file,
            .standard("name", .text, "Untitled", isAlwaysWritten: true), .discard,
            make: SessionRequest.new(name:discard:),
            match: { if case .new(let name, let discard) = $0 { (name, discard) } else { nil } }),
        Verb(
            "open", "Opens a session of the library. The sound that plays stops.", kind: .file, .id("name"), .discard,
            make: SessionRequest.open(name:discard:),
            match: { if case .open(let name, let discard) = $0 { (name, discard) } else { nil } }),
        Verb(
            "openDemo", "Opens the built-in set. The sound that plays stops.", kind: .file, .discard,
            make: SessionRequest.openDemo(discard:),
            match: { if case .openDemo(let discard) = $0 { discard } else { nil } }),
        Verb("save", "Saves the session where it is.", kind: .file, osc: [[]], .save),
        Verb(
            "saveAs", "Saves the session in the library, under a name. What plays plays on; undo begins anew.",
            kind: .file, .id("name"),
            make: SessionRequest.saveAs(name:), match: { if case .saveAs(let name) = $0 { name } else { nil } }),
        Verb(
            "renameSession",
            "Gives one of the state's `sessions` another name; the one that is open plays on under it, with what is not "
                + "saved. A name that is taken is refused.",
            kind: .file, .id("name"), .id("to"), make: SessionRequest.renameSession(name:to:),
            match: { if case .renameSession(let name, let new) = $0 { (name, new) } else { nil } }),
        Verb(
            "deleteSession", "Deletes a session for good, without its audio; the one that is open is refused.",
            kind: .file,
            .id("name"), make: SessionRequest.deleteSession(name:),
            match: { if case .deleteSession(let name) = $0 { name } else { nil } }),
        Verb(
            "restoreVersion",
            "Makes the session what its file was before it was saved: one of the last ten (`GET /api/versions`). A step as any "
                + "other: it can be taken back, and is not saved.",
            kind: .file, .id("version"), make: SessionRequest.restoreVersion,
            match: { if case .restoreVersion(let version) = $0 { version } else { nil } }),
        Verb(
            "recover",
            "Takes over one of the state's `recoverables`, the latest where none is named; the others are offered still.",
            kind: .file, .optional("copy", .words), make: SessionRequest.recover,
            match: { if case .recover(let copy) = $0 { copy } else { nil } }),
        Verb(
            "discardRecovery", "Throws one of the state's `recoverables` away, the latest where none is named.",
            kind: .file,
            .optional("copy", .words), make: SessionRequest.discardRecovery,
            match: { if case .discardRecovery(let copy) = $0 { copy } else { nil } }),
    ]

    private static let recording: [Verb<SessionRequest>] = [
        Verb(
            "record",
            "Records what is done to a script and, with `audio`, the main output to a file; with `tracks` also every "
                + "track, stem, output and input, and other strips where they sound, each to a file of its own. The script "
                + "begins with what plays ([session.md](session.md)). With `on` false it ends, and the `result` is `{\"recordings\": [name…], "
                + "\"folder\": F, \"seconds\": S}`.",
            kind: .session, .standard("on", .flag, true, isAlwaysWritten: true), .standard("audio", .flag, true),
            .standard("tracks", .flag, false), make: SessionRequest.record(isOn:audio:tracks:),
            match: { if case .record(let isOn, let audio, let tracks) = $0 { (isOn, audio, tracks) } else { nil } }),
        Verb(
            "keepTake",
            "Keeps one of the state's `rescued`, recordings whose program was killed: from now on it is one as any other. "
                + "What was being recorded into a slot of this session is in its slot again, and the `result` is `{\"clip\": C}`. "
                + "Refused while one of the `recoverables` uses it, or there are any and it belongs into the session: that comes first.",
            kind: .file, .id("name"), make: { .answerRecovery(name: $0, keeps: true) },
            match: { if case .answerRecovery(let name, true) = $0 { name } else { nil } }),
        Verb(
            "discardTake",
            "Deletes one of the state's `rescued`; files that the session uses stay. Refused while one of the `recoverables` uses it.",
            kind: .file, .id("name"),
            make: { .answerRecovery(name: $0, keeps: false) },
            match: { if case .answerRecovery(let name, false) = $0 { name } else { nil } }),
        Verb(
            "learn",
            "Lets the next control that is moved do this; with `key` its value goes to that key of the action, from `from` "
                + "to `to`. With `on` false it ends; the state's `learning` is the action that waits.",
            kind: .session,
            forms: [
                Form(when: ["on": false], .learn(nil)),
                Form(
                    .learnRequest, .standard("on", .flag, true), make: { learnRequest, _ in .learn(learnRequest) },
                    match: { if case .learn(let learnRequest?) = $0 { (learnRequest, true) } else { nil } }),
            ]),
        Verb(
            "resetOvers", "Puts out the lights of samples over full scale, for everybody.", kind: .session, osc: [[]],
            .resetOvers),
    ]
}

extension VerbArgument where Value == Bool {
    /// Whether changes that were not saved are dropped.
    fileprivate static var discard: VerbArgument {
        standard("discard", .flag, false, "refused while there are changes that were not saved, unless this is said")
    }
}
