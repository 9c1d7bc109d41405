import BarlineEngine

extension BoundSession {
    /// Gives every track and stem its place in the engine: what was there keeps it.
    mutating func assignPlaces(from old: BoundSession, _ configuration: EngineConfiguration) throws(SessionError) {
        guard document.tracks.count <= configuration.trackCount else {
            throw .unsupported(
                path: path, key: "tracks", what: "there is room for \(configuration.trackCount) tracks")
        }
        tracks = BoundSession.places(
            for: document.tracks.map(\.id), over: old.tracks,
            among: (0..<configuration.trackCount).map { TrackIndex($0) })
        guard document.stems.count <= configuration.stemCapacity else {
            throw .unsupported(path: path, key: "stems", what: "there is room for \(configuration.stemCapacity) stems")
        }
        stems = BoundSession.places(
            for: document.stems.map(\.id), over: old.stems,
            among: (0..<configuration.stemCapacity).map { StemIndex($0) })
        try assignInputs(from: old, capacity: configuration.inputCapacity)
    }

    /// A line for every output that the engine has no room for.
    var missingOutputs: [SessionWarning] {
        let routed = document.routedOutputs
        return Set(document.outputs).subtracting(outputs).sorted().map { name in
            if !routed.contains(name) {
                return SessionWarning(
                    "\(path): there is no room for output \"\(name)\": what is sent there is not heard",
                    words: "There is no room for the output “\(name)”: what is sent there is not heard.")
            }
            return SessionWarning(
                "\(path): there is no room for output \"\(name)\": what goes there goes to \"main\"",
                words: "There is no room for the output “\(name)”: what goes there goes to the main one.")
        }
    }

    /// Where things are by their identifiers, of which there is one for each place at most: what was there before
    /// stays.
    ///
    /// - Complexity: O(*n* + *m*) in the identifiers and the places.
    static func places<Place: Hashable>(
        for identifiers: [String], over old: [String: Place], among all: [Place]
    ) -> [String: Place] {
        var places: [String: Place] = [:]
        for id in identifiers { places[id] = old[id] }
        let taken = Set(places.values)
        // A place that was just left is still fading out: others come first.
        let left = Set(old.values)
        let free = all.filter { !left.contains($0) } + all.filter { left.contains($0) && !taken.contains($0) }
        for (id, place) in zip(identifiers.filter { places[$0] == nil }, free) { places[id] = place }
        return places
    }
}
