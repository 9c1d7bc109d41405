import BarlineTime
import BarlineEngine
import Foundation

/// The edits of clips.
enum ClipEdits {
    static let verbs: [Verb<DocumentEdit>] = [
        edit.scripted, transpose.scripted, stretch.scripted, moveFormants.scripted, add, remove, move, duplicate,
    ]

    private static let edit = Verb(
        "editClip", "Sets any keys of a clip but its `id` and `slot`.", kind: .edit, .id("clip"),
        .set(.clip)
    ) { id, changes in
        let label = changes.count == 1 && changes["name"] != nil ? "Rename clip" : "Edit clip"
        return DocumentEdit(label, mergeKey: "clip \(id) \(changes.keys.sorted())") {
            document, context throws(SessionError) in
            let place = try document.place(ofClip: id, context)
            let clip = document.tracks[place.track].clips[place.clip]
            var standard = ClipDocument.standard
            standard.slot = clip.slot
            var edited = try context.edited(clip, changes, standard: standard)
            if edited.slot != clip.slot {
                throw .unsupported(
                    path: context.source, key: "set.slot",
                    what: "a clip goes to another row by an action of its own; \"moveClip\"")
            }
            if changes["beats"] == nil, changes["bpm"] == nil { edited.keepBeats(of: clip, context) }
            try take(&edited, over: clip, context)
            try check(edited, context)
            document.tracks[place.track].clips[place.clip] = edited
            return [:]
        }
    }

    private static let transpose = Verb(
        "transposeClip", "Sets how many semitones higher a clip sounds whose pitch is kept.", kind: .edit,
        osc: [["clip", "semitones"]], .id("clip"),
        .required("semitones", .semitones, "decimals are cents; its tempo stays as it is")
    ) { id, semitones in
        DocumentEdit("Transpose clip", mergeKey: "clip \(id) [\"transpose\"]") {
            document, context throws(SessionError) in
            let place = try document.place(ofClip: id, context)
            document.tracks[place.track].clips[place.clip].transpose = semitones
            return [:]
        }
    }

    private static let stretch = Verb(
        "stretchClip", "Sets how the pitch of a clip is kept: of `mode` and the others what is given.", kind: .edit,
        osc: [["clip", "mode"]], .id("clip"),
        .optional("mode", ValueType<StretchMode>.word, "what it is stretched as"),
        .optional("keep", .keptShare, "its `stretchKeep`"), .optional("decay", .sliceDecay, "its `stretchDecay`"),
        .optional("cut", .cutRise, "its `stretchCut`"),
        .optional("grain", ValueType<GrainLength>.word, "its `stretchGrain`")
    ) { id, mode, keep, decay, cut, grain in
        DocumentEdit("Stretch clip", mergeKey: "clip \(id) stretch") { document, context throws(SessionError) in
            let place = try document.place(ofClip: id, context)
            var clip = document.tracks[place.track].clips[place.clip]
            clip.playback = .stretch
            if let mode { clip.stretchMode = mode }
            if let keep { clip.stretchKeep = keep }
            if let decay { clip.stretchDecay = decay }
            if let cut { clip.stretchCut = cut }
            if let grain { clip.stretchGrain = grain }
            document.tracks[place.track].clips[place.clip] = clip
            return [:]
        }
    }

    private static let moveFormants = Verb(
        "formantsOfClip",
        "Sets how many semitones the formants of a clip are moved by whose pitch is kept; without `semitones` they "
            + "follow its pitch.", kind: .edit, osc: [["clip", "semitones"], ["clip"]], .id("clip"),
        .optional("semitones", .semitones, "0 leaves a voice the same person's")
    ) { id, semitones in
        DocumentEdit("Move formants", mergeKey: "clip \(id) [\"formants\"]") {
            document, context throws(SessionError) in
            let place = try document.place(ofClip: id, context)
            document.tracks[place.track].clips[place.clip].formants = semitones
            return [:]
        }
    }

    /// Refuses files that `set` brings in from elsewhere, among them those of its layers.
    private static func take(
        _ edited: inout ClipDocument, over clip: ClipDocument, _ context: EditContext
    ) throws(SessionError) {
        edited.file = try context.file(edited.file, over: clip.file)
        for layer in edited.files where layer != edited.file && !clip.files.contains(layer) {
            _ = try context.media.file(layer, source: context.source, key: "set.layers")
        }
    }

    /// Refuses a region that the file does not have, rather than leave the clip silent.
    private static func check(_ clip: ClipDocument, _ context: EditContext) throws(SessionError) {
        guard let binding = context.clips[clip.id], binding.document.file == clip.file, let audio = binding.audio else {
            return
        }
        let frames = audio.samples.frameCount
        if clip.start >= frames {
            throw context.error("set.start", expected: "a frame below the file's \(frames)", found: "\(clip.start)")
        }
        if let end = clip.end, end > frames {
            throw context.error("set.end", expected: "a frame of at most the file's \(frames)", found: "\(end)")
        }
        let seconds = Double((clip.end ?? frames) - clip.start) / audio.samples.sampleRate.hertz
        try context.check(lengthOf: clip, seconds: seconds, key: clip.beats == nil ? "set.bpm" : "set.beats")
        try clip.check(frames, key: "set.warp", context)
    }

    private static let add = Verb(
        "addClip",
        "Adds a file that was uploaded or is in the session's folder, at the next free place from `slot` on, or, with "
            + "`replace`, in the place of what is there.",
        kind: .edit, .id("track"), .optional("slot", .row), .id("file"),
        .set(.clip, isRequired: false), .standard("replace", .flag, false)
    ) { trackID, slot, file, changes, replaces in
        DocumentEdit("Add clip") { document, context throws(SessionError) in
            let track = try document.place(ofTrack: trackID, context)
            let free = context.freeSlot(of: document.tracks[track], from: slot ?? 0)
            let row = replaces ? slot ?? free : free
            let name = SessionDocument.title(of: file)
            let id = SessionDocument.identifier(for: name, taken: document.clipIdentifiers)
            let path = try context.media.file(file, source: context.source, key: "file")
            var bare = ClipDocument(id: id, name: name, file: path, slot: row)
            bare.color = document.assignColour(ofTrack: track)
            if changes.keys.allSatisfy({ !ClipDocument.lengthKeys.contains($0) }) {
                bare.loopAsRecorded(context.path(of: path))
            }
            var clip = try ClipDocument(context.merged(bare.json, changes, key: "set"), defaultSlot: row)
            try take(&clip, over: bare, context)
            if !replaces { clip.slot = context.freeSlot(of: document.tracks[track], from: clip.slot) }
            document.tracks[track].clips.removeAll { $0.slot == clip.slot }
            document.tracks[track].clips.append(clip)
            return ["clip": .string(id)]
        }
    }

    private static let remove = Verb(
        "removeClip", "Takes a clip out.", kind: .edit, .id("clip"), make: DocumentEdit.removingClip)

    private static let move = Verb(
        "moveClip",
        "Moves a clip to a row, on its own track where `track` is missing; it changes places with a clip that is there.",
        kind: .edit, .id("clip"), .optional("track", .text), .required("slot", .row)
    ) { id, trackID, slot in
        DocumentEdit("Move clip") { document, context throws(SessionError) in
            let place = try document.place(ofClip: id, context)
            let target = try document.place(ofTrack: trackID, context) ?? place.track
            var clip = document.tracks[place.track].clips.remove(at: place.clip)
            if let other = document.tracks[target].clips.firstIndex(where: { $0.slot == slot }) {
                var displaced = document.tracks[target].clips.remove(at: other)
                displaced.slot = clip.slot
                document.tracks[place.track].clips.append(displaced)
            }
            clip.slot = slot
            document.tracks[target].clips.append(clip)
            return [:]
        }
    }

    private static let duplicate = Verb(
        "duplicateClip", "Copies a clip to the next free row of its track, or to `track` and `slot`.", kind: .edit,
        .id("clip"), .optional("track", .text), .optional("slot", .row)
    ) { id, trackID, slot in
        DocumentEdit("Duplicate clip") { document, context throws(SessionError) in
            let place = try document.place(ofClip: id, context)
            let target = try document.place(ofTrack: trackID, context) ?? place.track
            var clip = document.tracks[place.track].clips[place.clip]
            clip.id = SessionDocument.identifier(for: clip.name, taken: document.clipIdentifiers)
            clip.slot = slot ?? context.freeSlot(of: document.tracks[target])
            let row = clip.slot
            document.tracks[target].clips.removeAll { $0.slot == row }
            document.tracks[target].clips.append(clip)
            return ["clip": .string(clip.id)]
        }
    }
}

extension SessionDocument {
    /// The track that is named; `nil` where none is.
    fileprivate func place(ofTrack id: String?, _ context: EditContext) throws(SessionError) -> Int? {
        guard let id else { return nil }
        return try place(ofTrack: id, context) as Int
    }
}

extension EditContext {
    /// Refuses a tempo or a length at which the clip could not be played.
    func check(lengthOf clip: ClipDocument, seconds: Double, key: String) throws(SessionError) {
        guard let beats = clip.beats ?? clip.bpm.map({ Tempo.beats(in: seconds, at: $0) }) else { return }
        if ClipSettings.beatsRange.contains(beats) { return }
        throw error(key, expected: "what makes the clip from 0.000001 to 1000000 beats long", found: "\(beats) beats")
    }
}

extension DocumentEdit {
    /// Takes a clip out.
    @Sendable static func removingClip(_ id: String) -> DocumentEdit {
        DocumentEdit("Remove clip") { document, context throws(SessionError) in
            let place = try document.place(ofClip: id, context)
            document.tracks[place.track].clips.remove(at: place.clip)
            return [:]
        }
    }
}
