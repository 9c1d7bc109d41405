import BarlineEngine
import BarlineTime

/// A slot that is recorded into, or was.
struct BoundTake: Sendable {
    /// The clip's identifier.
    let id: String
    let track: String
    let slot: Int
    let clip: ClipHandle
    let input: InputIndex
    /// The file that it is written to.
    let files: TakeKeeper.Names
    /// The first frame that was captured of the input by then: from another source, it begins anew.
    let beginning: FrameTime?
    /// The frame for which it was asked, as far as that is known; the end of time where it waits for a beat.
    let asked: FrameTime
    /// The frame after which it is waited for where it has not begun; `nil` where it is for later.
    let launched: FrameTime?
    /// How long it is to be, in bars; `nil` where its end is open.
    let bars: Int?
    /// Whether the document has its clip.
    var isKept = false
}

/// A layer of a loop that is recorded, or was.
struct BoundLayer: Sendable {
    let id: LayerID
    /// The identifier of the loop's clip.
    let clip: String
    /// What is recorded; `nil` once it is in its file and the engine has it no more.
    var take: TakeHandle?
    /// The files that it is written to.
    let files: TakeKeeper.Names
}

extension BoundSession {
    /// The take of a slot whose clip the document does not have yet.
    func openTake(track: String, slot: Int) -> BoundTake? {
        takes.first { !$0.isKept && $0.track == track && $0.slot == slot }
    }

    /// The identifiers of clips, of those as well that the document does not have yet.
    var takenIdentifiers: Set<String> { document.clipIdentifiers.union(clips.keys) }

    /// A free identifier for a take.
    func identifier(forTakeOn track: TrackDocument) -> String {
        SessionDocument.identifier(for: "\(track.name) take", taken: takenIdentifiers)
    }

    /// What the clip of a take is called: as its track, with the number in its identifier. Where that was chosen by who
    /// asked for it, that.
    func name(ofTake id: String, on track: String) -> String {
        guard let track = document.tracks.first(where: { $0.id == track }) else { return id }
        let name = track.name.isEmpty ? "Take" : "\(track.name) take"
        let plain = SessionDocument.identifier(for: name, taken: [])
        if id == plain { return name }
        guard id.hasPrefix("\(plain)-"), let number = Int(id.dropFirst(plain.count + 1)), number > 1 else { return id }
        return "\(name) \(number)"
    }

    /// Whether no track has a clip, or a slot that is recorded into.
    var hasNoLoops: Bool { openTakeIDs.isEmpty && document.tracks.allSatisfy(\.clips.isEmpty) }

    /// The clips that play without being in the document: slots that are recorded into, on tracks that are there.
    var openTakeIDs: [String] {
        takes.filter { take in !take.isKept && document.tracks.contains { $0.id == take.track } }.map(\.id)
    }

    /// The clips that were recorded, or are, and that another document leaves as they are.
    func recordedClips(keptIn new: SessionDocument) -> [String] {
        let recorded = Set(takes.map(\.id) + layers.map(\.clip))
        if recorded.isEmpty { return [] }
        let (before, after) = (document.clips(recorded), new.clips(recorded))
        return recorded.filter { id in
            guard let own = before[id], let other = after[id] else { return before[id] == nil && after[id] == nil }
            return own.track == other.track && own.clip.soundsLike(other.clip)
        }.sorted()
    }

    /// Gives each input of the document a place; those that were there stay where they were, also where they are called
    /// otherwise now, but in another session.
    mutating func assignInputs(from old: BoundSession?, capacity: Int) throws(SessionError) {
        guard document.inputs.count <= capacity else {
            throw .unsupported(path: path, key: "inputs", what: "there is room for \(capacity) inputs")
        }
        formerInputs = old?.formerInputs ?? []
        inputs = BoundSession.places(
            for: document.inputs.map(\.name),
            over: (old?.path == path ? old?.inputs(renamedAsIn: document) : old?.inputs) ?? [:],
            among: (0..<capacity).map { InputIndex($0) }, former: &formerInputs)
    }

    /// The places of inputs, by the names that they have in `document`: one that is in the list where another name was,
    /// which is gone, has that one's.
    private func inputs(renamedAsIn document: SessionDocument) -> [String: InputIndex] {
        var places = inputs
        let names = Set(document.inputs.map(\.name))
        for (old, new) in zip(self.document.inputs, document.inputs)
        where !names.contains(old.name) && inputs[new.name] == nil && old.channels == new.channels {
            places[new.name] = places.removeValue(forKey: old.name)
        }
        return places
    }
}
