extension SessionDocument {
    var clipIdentifiers: Set<String> { Set(tracks.flatMap(\.clips).map(\.id)) }
}

extension TrackDocument {
    /// The first row without a clip, from a row on.
    func freeSlot(from first: Int = 0) -> Int {
        let taken = Set(clips.map(\.slot))
        return (first...first + clips.count).first { !taken.contains($0) } ?? first + clips.count
    }
}
