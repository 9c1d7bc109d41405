import BarlineFiles

extension ClipDocument {
    /// The keys that say where it loops and how long that is.
    static let lengthKeys: Set<String> = ["start", "end", "beats", "bpm", "firstBeat", "warp", "loop"]

    /// Loops as the file of a recording says that it was recorded: it has more at both ends. Other files leave the clip
    /// as it is.
    mutating func loopAsRecorded(_ path: String) {
        guard let loop = TakeFile.loop(of: path) else { return }
        (start, end, beats, bpm) = (loop.frames.lowerBound, loop.frames.upperBound, loop.beats, nil)
    }
}

extension DocumentEdit {
    /// Puts a recording that was rescued into the slot that it was recorded into, or where that is taken into the next
    /// free one. A track that is gone gets nothing back.
    static func bringingBack(_ path: String, to place: TakeOrigin.Place) -> DocumentEdit {
        DocumentEdit("Keep recording") { document, context throws(SessionError) in
            guard let track = document.tracks.firstIndex(where: { $0.id == place.track }) else { return [:] }
            let file = try context.media.file(path, source: context.source, key: "name")
            let name = SessionDocument.title(of: file)
            let taken = document.clipIdentifiers
            // What was said of the clip that it was to become is said of it.
            let own = place.clip.flatMap { taken.contains($0) ? nil : $0 }
            let id = own ?? SessionDocument.identifier(for: name, taken: taken)
            let slot = context.freeSlot(of: document.tracks[track], from: place.slot)
            var clip = ClipDocument(id: id, name: name, file: file, slot: slot)
            clip.color = document.assignColour(ofTrack: track)
            clip.loopAsRecorded(path)
            document.tracks[track].clips.append(clip)
            return ["clip": .string(id)]
        }
    }
}
