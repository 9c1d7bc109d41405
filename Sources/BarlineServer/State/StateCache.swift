import BarlineSession

/// The inputs and results of the last state, so that only what has changed is made again.
struct StateCache {
    var clips = ClipFacts()
    var items = PlaylistItems()
    private var parts = SessionParts.published.map { ($0.stateKey, $0.facts()) }
    /// The document without its long lists, and its keys.
    private var rest: (document: SessionDocument, values: [String: StateValue])?
    private var tracks = ListCache<TrackDocument>()
    private var library: [SessionLibrary.Entry] = []
    private var libraryRevision: Int?
    private var libraryTime = 0.0

    /// Seconds after which the library's folder is looked at again, where nobody here has changed it.
    private static let libraryAge = 2.0

    /// What is to be known of the parts beside the document, by their keys.
    mutating func facts(_ player: SessionPlayer) -> [String: StateValue] {
        var values: [String: StateValue] = [:]
        for index in parts.indices { values[parts[index].0] = .value(parts[index].1.json(player)) }
        return values
    }

    /// A session's document.
    mutating func value(of document: SessionDocument) -> StateValue {
        var rest = document
        rest.tracks = []
        rest.items = SharedList()
        if self.rest?.document != rest {
            guard case .object(let values) = rest.json else { return .value(document.json) }
            self.rest = (rest, values.mapValues(StateValue.value))
        }
        var values = self.rest?.values ?? [:]
        values["tracks"] = tracks.value(of: SharedList(document.tracks), StateCache.value)
        values["playlist"] = .items(document.items)
        return .object(values)
    }

    private static func value(
        of track: TrackDocument, before: (element: TrackDocument, value: StateValue)?
    ) -> StateValue {
        guard let before, case .object(let old) = before.value, case .list(let clips)? = old["clips"] else {
            guard var values = settings(of: track) else { return .value(track.json) }
            values["clips"] = .list(SharedList(track.clips.map { .value($0.json) }))
            return .object(values)
        }
        let isSame = track.withoutClips == before.element.withoutClips
        guard var values = isSame ? old : settings(of: track) else { return .value(track.json) }
        values["clips"] = .list(value(of: track.clips, before: before.element.clips, clips))
        return .object(values)
    }

    /// The keys of a track but for its clips.
    private static func settings(of track: TrackDocument) -> [String: StateValue]? {
        guard case .object(let values) = track.withoutClips.json else { return nil }
        return values.mapValues(StateValue.value)
    }

    /// The clips of a track, of which those are made again that are not as they were.
    private static func value(
        of clips: [ClipDocument], before: [ClipDocument], _ former: SharedList<StateValue>
    ) -> SharedList<StateValue> {
        let (head, tail) = clips.common(with: before)
        var values = former
        if clips.count == before.count {
            for index in head..<clips.count - tail where clips[index] != before[index] {
                values.replace(index..<index + 1, with: CollectionOfOne(.value(clips[index].json)))
            }
        } else {
            values.replace(
                head..<before.count - tail, with: clips[head..<clips.count - tail].map { .value($0.json) })
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
