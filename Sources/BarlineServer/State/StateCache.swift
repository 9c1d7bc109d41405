import BarlineSession

/// What the state was made of the last time, so that only what has changed is made anew.
struct StateCache {
    var clips = ClipFacts()
    var items = PlaylistItems()
    private var parts = SessionParts.shown.map { ($0.stateKey, $0.facts()) }
    private var tracks = ListCache<TrackDocument>()
    private var playlist = ListCache<PlaylistItemDocument>()
    private var library: [SessionLibrary.Entry] = []
    private var libraryRevision: Int?
    private var libraryTime = 0.0

    /// Seconds after which the library's folder is looked at again, where nobody here has changed it.
    private static let libraryAge = 2.0

    /// What is to be known of the parts beside the document, by their keys.
    mutating func facts(_ player: SessionPlayer) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for index in parts.indices { values[parts[index].0] = parts[index].1.json(player) }
        return values
    }

    /// A session's document as JSON.
    mutating func json(of document: SessionDocument) -> JSONValue {
        var rest = document
        rest.tracks = []
        rest.items = SharedList()
        guard case .object(var values) = rest.json else { return document.json }
        values["tracks"] = tracks.json(of: SharedList(document.tracks), StateCache.json)
        values["playlist"] = playlist.json(of: document.items) { item, _ in item.json }
        return .object(values)
    }

    private static func json(of track: TrackDocument, before: (element: TrackDocument, value: JSONValue)?) -> JSONValue
    {
        var rest = track
        rest.clips = []
        guard let before, before.element.clips == track.clips, case .object(let old) = before.value,
            case .object(var values) = rest.json
        else { return track.json }
        values["clips"] = old["clips"]
        return .object(values)
    }

    /// The library's sessions: they are looked for when something was done with them, and now and then.
    mutating func sessions(of session: LiveSession) -> [SessionLibrary.Entry] {
        let (revision, now) = (session.managementRevision, LiveSession.now)
        if revision != libraryRevision || now > libraryTime + StateCache.libraryAge {
            library = session.library.sessions
            (libraryRevision, libraryTime) = (revision, now)
        }
        return library
    }
}
