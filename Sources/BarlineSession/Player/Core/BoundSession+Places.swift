import BarlineEngine

extension BoundSession {
    /// Gives every track and stem its place in the engine: what was there keeps it.
    mutating func assignPlaces(from old: BoundSession, _ configuration: EngineConfiguration) throws(SessionError) {
        guard document.tracks.count <= configuration.trackCount else {
            throw .unsupported(
                path: path, key: "tracks", what: "there is room for \(configuration.trackCount) tracks")
        }
        formerTracks = old.formerTracks
        tracks = BoundSession.places(
            for: document.tracks.map(\.id), over: old.tracks,
            among: (0..<configuration.trackCount).map { TrackIndex($0) }, former: &formerTracks)
        guard document.stems.count <= configuration.stemCapacity else {
            throw .unsupported(path: path, key: "stems", what: "there is room for \(configuration.stemCapacity) stems")
        }
        formerStems = old.formerStems
        stems = BoundSession.places(
            for: document.stems.map(\.id), over: old.stems,
            among: (0..<configuration.stemCapacity).map { StemIndex($0) }, former: &formerStems)
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
    /// - Parameters:
    ///   - identifiers: what needs a place.
    ///   - old: where what was there before is.
    ///   - all: the places, those to be taken first first.
    ///   - former: those that were left, the latest last. They are taken last: what was set there for later, and has
    ///     not come yet, is not for what comes there, and what just left it is still fading out.
    /// - Returns: the place of each identifier, as far as there are places.
    /// - Complexity: O(*n* + *m*) in the identifiers and the places.
    static func places<Place: Hashable>(
        for identifiers: [String], over old: [String: Place], among all: [Place], former: inout [Place]
    ) -> [String: Place] {
        var places: [String: Place] = [:]
        for id in identifiers { places[id] = old[id] }
        let taken = Set(places.values)
        let left = Set(old.values)
        former += all.filter { left.contains($0) && !taken.contains($0) }
        let used = left.union(former)
        let free = all.filter { !used.contains($0) } + former
        for (id, place) in zip(identifiers.filter { places[$0] == nil }, free) { places[id] = place }
        let given = Set(places.values)
        former.removeAll(where: given.contains)
        return places
    }
}
