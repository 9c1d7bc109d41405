import BarlineEngine
import Foundation

extension DocumentEdit {
    static func ofClips(_ word: String, _ reader: inout ObjectReader) throws(SessionError) -> DocumentEdit? {
        switch word {
        case "editClip": return try editClip(&reader)
        case "addClip": return try addClip(&reader)
        case "removeClip":
            let id = try reader.requiredString("clip")
            return DocumentEdit("Remove clip") { document, context throws(SessionError) in
                let place = try document.place(ofClip: id, context)
                document.tracks[place.track].clips.remove(at: place.clip)
                return [:]
            }
        case "moveClip": return try moveClip(&reader)
        case "duplicateClip": return try duplicateClip(&reader)
        default: return nil
        }
    }

    private static func editClip(_ reader: inout ObjectReader) throws(SessionError) -> DocumentEdit {
        let id = try reader.requiredString("clip")
        let changes = try reader.changes()
        let label = changes.count == 1 && changes["name"] != nil ? "Rename clip" : "Edit clip"
        let key = "clip \(id) \(changes.keys.sorted())"
        return DocumentEdit(label, mergeKey: key) { document, context throws(SessionError) in
            let place = try document.place(ofClip: id, context)
            let clip = document.tracks[place.track].clips[place.clip]
            var edited = try ClipDocument(context.merged(clip.json, changes, key: "set"), defaultSlot: clip.slot)
            if edited.slot != clip.slot {
                throw context.error("set.slot", expected: "\"moveClip\"", found: "\(edited.slot)")
            }
            if edited.file != clip.file {
                edited.file = try context.media.file(edited.file, source: context.source, key: "set.file")
            }
            try check(edited, context)
            document.tracks[place.track].clips[place.clip] = edited
            return [:]
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
    }

    private static func addClip(_ reader: inout ObjectReader) throws(SessionError) -> DocumentEdit {
        let trackID = try reader.requiredString("track")
        let slot = try reader.integer("slot", atLeast: 0)
        let file = try reader.requiredString("file")
        let changes = try reader.changes(isRequired: false)
        let replaces = try reader.bool("replace", default: false)
        return DocumentEdit("Add clip") { document, context throws(SessionError) in
            let track = try document.place(ofTrack: trackID, context)
            let free = document.tracks[track].freeSlot(from: slot ?? 0)
            let row = replaces ? slot ?? free : free
            let name = SessionDocument.title(of: file)
            let id = SessionDocument.identifier(for: name, taken: document.clipIdentifiers)
            let path = try context.media.file(file, source: context.source, key: "file")
            var bare = ClipDocument(id: id, name: name, file: path, slot: row)
            bare.color = document.settleColour(ofTrack: track)
            let clip = try ClipDocument(context.merged(bare.json, changes, key: "set"), defaultSlot: row)
            document.tracks[track].clips.removeAll { $0.slot == clip.slot }
            document.tracks[track].clips.append(clip)
            return ["clip": .string(id)]
        }
    }

    private static func moveClip(_ reader: inout ObjectReader) throws(SessionError) -> DocumentEdit {
        let id = try reader.requiredString("clip")
        let trackID = try reader.string("track")
        let slot = try reader.requiredInteger("slot", atLeast: 0)
        return DocumentEdit("Move clip") { document, context throws(SessionError) in
            let place = try document.place(ofClip: id, context)
            let target =
                try trackID.map { id throws(SessionError) in try document.place(ofTrack: id, context) }
                ?? place.track
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

    private static func duplicateClip(_ reader: inout ObjectReader) throws(SessionError) -> DocumentEdit {
        let id = try reader.requiredString("clip")
        let trackID = try reader.string("track")
        let slot = try reader.integer("slot", atLeast: 0)
        return DocumentEdit("Duplicate clip") { document, context throws(SessionError) in
            let place = try document.place(ofClip: id, context)
            let target =
                try trackID.map { id throws(SessionError) in try document.place(ofTrack: id, context) }
                ?? place.track
            var clip = document.tracks[place.track].clips[place.clip]
            clip.id = SessionDocument.identifier(for: clip.name, taken: document.clipIdentifiers)
            clip.slot = slot ?? document.tracks[target].freeSlot()
            let row = clip.slot
            document.tracks[target].clips.removeAll { $0.slot == row }
            document.tracks[target].clips.append(clip)
            return ["clip": .string(clip.id)]
        }
    }
}

extension EditContext {
    /// Refuses a tempo or a length at which the clip could not be played.
    func check(lengthOf clip: ClipDocument, seconds: Double, key: String) throws(SessionError) {
        guard let beats = clip.beats ?? clip.bpm.map({ $0 * seconds / 60 }) else { return }
        if ClipSettings.beatsRange.contains(beats) { return }
        throw error(key, expected: "what makes the clip from 0.000001 to 1000000 beats long", found: "\(beats) beats")
    }
}
