/// Loops that become what they sound like.
enum FlattenEdits {
    static let verbs: [Verb<DocumentEdit>] = [flatten]

    private static let flatten = Verb(
        "flattenClip",
        "Makes a loop that keeps its pitch, or has warp markers, a plain one of what it sounds like at the session's tempo, in a file of its own, so "
            + "that it can be recorded over. Its former file stays.",
        kind: .edit, .id("clip")
    ) { id in
        DocumentEdit("Flatten clip", flattens: id) { document, context throws(SessionError) in
            let place = try document.place(ofClip: id, context)
            var clip = document.tracks[place.track].clips[place.clip]
            guard let flat = context.flattened, flat.clip == clip else {
                throw context.error("clip", expected: "a clip that is not changed meanwhile", found: "\"\(id)\"")
            }
            (clip.file, clip.start, clip.end) = (flat.file, flat.region.lowerBound, flat.region.upperBound)
            (clip.beats, clip.bpm, clip.firstBeat) = (flat.beats, nil, nil)
            (clip.playback, clip.transpose, clip.stretchMode, clip.formants) = (.repitch, 0, nil, nil)
            (clip.warp, clip.onsets) = (nil, nil)
            (clip.latency, clip.pass, clip.layers, clip.undoneLayers) = (nil, nil, [], [])
            document.tracks[place.track].clips[place.clip] = clip
            return ["clip": .string(id)]
        }
    }
}
