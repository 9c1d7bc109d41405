import BarlineEngine
import BarlineTime

/// A document and what the engine calls the things in it.
struct BoundSession: Sendable {
    var document: SessionDocument
    /// The session's file, as errors call it.
    var path: String
    /// Counts changes of the document.
    var revision = 0
    /// The engine's tracks and stems by identifier: they keep their places when the document's are moved about.
    var tracks: [String: TrackIndex]
    var stems: [String: StemIndex] { didSet { nameStems() } }
    /// The identifiers of the stems by their places, those that were taken away included: events name them.
    private(set) var stemIDs: [StemIndex: String] = [:]
    /// The names of the engine's outputs: those that were there stay where they were, others come after them.
    private(set) var outputs: [String]
    private(set) var clips = SharedTable<ClipBinding>()
    /// Counts changes of ``clips``.
    private(set) var clipsRevision = 0
    /// The clips that the latest of those changes were of.
    private var changedClips: [String] = []
    /// The clips that could not be loaded, and those of which the user should know something: few, and looked for at
    /// each edit.
    private(set) var failedClips: Set<String> = []
    var clipIDs: [ClipHandle: String] = [:]
    /// Clips and tracks that are gone, whose end is still to be told of.
    private(set) var goneClips: [ClipHandle: String] = [:]
    private(set) var goneTracks: [TrackIndex: String] = [:]
    /// Why the metronome clicks with its own sound in place of the session's.
    var clickProblem: String?
    var multitrack: Multitrack?
    var effects: [EffectStrip: BoundEffects] = [:]
    /// What is known of the parts that are folders of their own.
    var parts = BoundParts()
    /// The places that were left, the latest last.
    var formerTracks: [TrackIndex] = []
    var formerStems: [StemIndex] = []
    var formerInputs: [InputIndex] = []
    /// The engine's inputs by name.
    var inputs: [String: InputIndex] = [:]
    var takes: [BoundTake] = []
    /// The layers that are recorded, or were, in the order in which they began.
    var layers: [BoundLayer] = []
    /// What is recorded over clips, or waits to be, by their identifiers.
    var overdubs: [String: OverdubStatus] = [:]
    /// Clips that were recorded, and whose audio is not known yet.
    var unheard: Set<String> = []
    /// Since when nothing sounds, as far as that was looked at; `nil` while something does.
    var quietSince: FrameTime?
    /// What has happened that the user should know, until it is taken.
    var notices: [SessionNotice] = []
    /// What the user should know beside what is said of single clips.
    var warnings: [SessionWarning] = []

    init(_ document: SessionDocument, path: String) {
        self.document = document
        self.path = path
        outputs = document.outputs
        tracks = Dictionary(
            document.tracks.enumerated().map { ($0.element.id, TrackIndex($0.offset)) }, uniquingKeysWith: { $1 })
        stems = Dictionary(
            document.stems.enumerated().map { ($0.element.id, StemIndex($0.offset)) }, uniquingKeysWith: { $1 })
        nameStems()
    }

    private mutating func nameStems() { for (id, index) in stems { stemIDs[index] = id } }

    /// Gives outputs that are new in the document a place, as far as the engine has room.
    mutating func takeOutputs(capacity: Int) {
        for name in document.outputs where outputs.count < capacity && !outputs.contains(name) { outputs.append(name) }
    }

    /// So many changes are known one by one at least.
    private static let changesKept = 256

    private mutating func noteChange(_ id: String) {
        clipsRevision += 1
        changedClips.append(id)
        if changedClips.count > 2 * BoundSession.changesKept { changedClips.removeFirst(BoundSession.changesKept) }
    }

    /// The clips that have changed since ``clipsRevision`` was `revision`; `nil` where that is too long ago.
    func clipsChanged(since revision: Int) -> Set<String>? {
        let count = clipsRevision - revision
        return (0...changedClips.count).contains(count) ? Set(changedClips.suffix(count)) : nil
    }

    mutating func bind(_ binding: ClipBinding) {
        noteChange(binding.document.id)
        clips[binding.document.id] = binding
        if binding.problem == nil, binding.warning == nil {
            failedClips.remove(binding.document.id)
        } else {
            failedClips.insert(binding.document.id)
        }
        if let handle = binding.handle {
            clipIDs[handle] = binding.document.id
            goneClips[handle] = nil
        }
    }

    /// Takes in what the engine plays already of the document's clip `id`, so that an edit that takes it back is heard.
    mutating func rebind(_ id: String) {
        guard let binding = clips[id],
            let clip = document.tracks.lazy.flatMap(\.clips).first(where: { $0.id == id }), clip != binding.document
        else { return }
        bind(binding.playing(clip))
    }

    /// Forgets a clip.
    mutating func unbind(_ id: String) {
        if let handle = clips[id]?.handle, clipIDs[handle] == id {
            clipIDs[handle] = nil
            if goneClips.count >= BoundSession.mostGone { goneClips = [:] }
            goneClips[handle] = id
        }
        noteChange(id)
        clips[id] = nil
        failedClips.remove(id)
    }

    private static let mostGone = 1_024

    /// Remembers the tracks of another session that this one does not have.
    mutating func noteGoneTracks(of old: BoundSession) {
        for (id, place) in old.tracks where tracks[id] == nil { goneTracks[place] = id }
        for place in tracks.values { goneTracks[place] = nil }
    }

    /// The tracks of the document whose clips may have to be bound again: those whose clips, or whose place in the
    /// engine, are not what they were, and those with a clip that could not be loaded.
    ///
    /// - Complexity: O(*n*) in the tracks, where clips that are the same are shared.
    func tracksToBind(over old: BoundSession) -> [Int] {
        var before = TracksByID(old.document.tracks)
        return document.tracks.indices.filter { index in
            let track = document.tracks[index]
            return before.track(track.id, near: index)?.clips != track.clips || mustBind(track, over: old)
        }
    }

    /// Whether all clips of a track are to be looked at, though they are as they were.
    private func mustBind(_ track: TrackDocument, over old: BoundSession) -> Bool {
        old.tracks[track.id] != tracks[track.id]
            || (!failedClips.isEmpty && track.clips.contains { failedClips.contains($0.id) })
    }

    /// The clips that may have to be bound, by the places of their tracks in the document.
    ///
    /// - Complexity: that of ``tracksToBind(over:)``, and O(*n*) comparisons of the clips of tracks that have changed.
    func clipsToBind(over old: BoundSession) -> [(track: Int, clips: Range<Int>)] {
        var before = TracksByID(old.document.tracks)
        return tracksToBind(over: old).map { index in
            let track = document.tracks[index]
            guard let former = before.track(track.id, near: index), !mustBind(track, over: old) else {
                return (index, track.clips.indices)
            }
            let (head, tail) = track.clips.common(with: former.clips)
            return (index, head..<track.clips.count - tail)
        }
    }

    /// The clips that were bound and are in the document no more.
    ///
    /// - Complexity: that of ``tracksToBind(over:)``, and O(*n*) in the clips of tracks that have changed.
    func clipsToUnbind(over old: BoundSession) -> [String] {
        // Beside those of the document there may be clips that were recorded and are not wanted.
        guard old.clips.count == old.document.tracks.reduce(0, { $0 + $1.clips.count }) else {
            let kept = Set(document.tracks.flatMap(\.clips).map(\.id) + openTakeIDs)
            return old.clips.keys.filter { !kept.contains($0) }
        }
        let after = Dictionary(document.tracks.map { ($0.id, $0.clips) }, uniquingKeysWith: { $1 })
        let changed = old.document.tracks.filter { after[$0.id] != $0.clips }
        if changed.isEmpty { return [] }
        let kept = Set(tracksToBind(over: old).flatMap { document.tracks[$0].clips.map(\.id) } + openTakeIDs)
        return changed.flatMap(\.clips).map(\.id).filter { !kept.contains($0) }
    }

    /// The clip of a track of the document in row `slot`.
    func clip(track: Int, slot: Int) -> ClipBinding? {
        guard document.tracks.indices.contains(track) else { return nil }
        return document.tracks[track].clips.first { $0.slot == slot }.flatMap { clips[$0.id] }
    }

    /// How the stems lie on the grid; `nil` where their tempo is not known.
    var stemGrid: StemGrid? {
        guard let first = document.stems.first, let place = stems[first.id], let multitrack else { return nil }
        return document.stemGrid(sampleRate: multitrack.stem(at: place)?.source.recorded.sampleRate)
    }

    /// The engine's bus for an output's name; the main one where the engine has none of that name.
    func bus(_ name: String) -> BusIndex { BusIndex(outputs.firstIndex(of: name) ?? 0) }

    /// Everything the user should know, one line each.
    var allWarnings: [SessionWarning] {
        var lines = document.clampedTempos(path: path) + warnings
        lines += SessionParts.played.flatMap { $0.warnings(self) }
        // Most have none, and looking for what is said of a clip in the document's order takes longer.
        for track in document.tracks where !failedClips.isEmpty {
            for clip in track.clips where failedClips.contains(clip.id) {
                guard let binding = clips[clip.id] else { continue }
                if let line = binding.warning ?? binding.problem.map(SessionWarning.init) { lines.append(line) }
            }
        }
        return lines + document.unknownEffects(path: path) + document.unplayedParts(path: path)
    }
}
