extension SessionDocument {
    var clipIdentifiers: Set<String> { Set(tracks.flatMap(\.clips).map(\.id)) }
}

extension TrackDocument {
    /// The first row without a clip, from a row on, that is none of `others`.
    func freeSlot(from first: Int = 0, besides others: Set<Int> = []) -> Int {
        let taken = others.union(clips.map(\.slot))
        return (first...first + taken.count).first { !taken.contains($0) } ?? first + taken.count
    }
}

// Clips by their identifiers.
extension SessionDocument {
    /// A clip and the track that it is on.
    typealias Placed = (track: String, clip: ClipDocument)

    /// Some clips by their identifiers, as far as they are there.
    func clips(_ ids: Set<String>) -> [String: Placed] {
        var clips: [String: Placed] = [:]
        for track in tracks {
            for clip in track.clips where ids.contains(clip.id) { clips[clip.id] = (track.id, clip) }
        }
        return clips
    }

    /// The document in which some clips are what they are in another one, under the name and in the row that they have
    /// here; without them where that one is.
    func keeping(_ ids: [String], asIn other: SessionDocument) -> SessionDocument {
        if ids.isEmpty { return self }
        let kept = other.clips(Set(ids))
        var result = self
        for track in tracks.indices {
            var own = tracks[track].clips.filter { !ids.contains($0.id) || kept[$0.id] != nil }
            for index in own.indices where ids.contains(own[index].id) {
                guard var clip = kept[own[index].id]?.clip else { continue }
                (clip.name, clip.color, clip.slot) = (own[index].name, own[index].color, own[index].slot)
                own[index] = clip
            }
            // Those that the recording did not know yet.
            let known = Set(own.map(\.id))
            for id in ids where !known.contains(id) && kept[id]?.track == tracks[track].id {
                if let clip = kept[id]?.clip { own.append(clip) }
            }
            result.tracks[track].clips = own
        }
        return result
    }
}
