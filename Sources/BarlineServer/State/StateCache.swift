import BarlineSession

/// What the state was made of the last time, so that only what has changed is made anew.
struct StateCache {
    var clips = ClipFacts()
    var items = PlaylistItems()
    private var parts = SessionParts.shown.map { ($0.stateKey, $0.facts()) }
    /// The document without its long lists, and its keys.
    private var rest: (document: SessionDocument, values: [String: JSONValue])?
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
        if self.rest?.document != rest {
            guard case .object(let values) = rest.json else { return document.json }
            self.rest = (rest, values)
        }
        var values = self.rest?.values ?? [:]
        values["tracks"] = tracks.json(of: SharedList(document.tracks), StateCache.json)
        values["playlist"] = playlist.json(of: document.items) { item, _ in item.json }
        return .object(values)
    }

    private static func json(of track: TrackDocument, before: (element: TrackDocument, value: JSONValue)?) -> JSONValue
    {
        var rest = track
        rest.clips = []
        guard let before, case .object(let old) = before.value, case .array(let clips)? = old["clips"],
            case .object(var values) = rest.json
        else { return track.json }
        values["clips"] = .array(json(of: track.clips, before: before.element.clips, clips))
        return .object(values)
    }

    /// The clips of a track as JSON, of which those are made anew that are not as they were.
    private static func json(
        of clips: [ClipDocument], before: [ClipDocument], _ former: [JSONValue]
    ) -> [JSONValue] {
        let (head, tail) = clips.common(with: before)
        var values = former
        if clips.count == before.count {
            for index in head..<clips.count - tail where clips[index] != before[index] {
                values[index] = clips[index].json
            }
        } else {
            values.replaceSubrange(head..<before.count - tail, with: clips[head..<clips.count - tail].map(\.json))
        }
        return values
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
