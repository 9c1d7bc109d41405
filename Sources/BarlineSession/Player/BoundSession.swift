import BarlineEngine

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
    var clips: [String: ClipBinding] = [:] { didSet { clipsRevision += 1 } }
    /// Counts changes of ``clips``.
    private(set) var clipsRevision = 0
    var clipIDs: [ClipHandle: String] = [:]
    var multitrack: Multitrack?
    var effects: [EffectStrip: BoundEffects] = [:]
    /// What is known of the parts that are folders of their own.
    var parts = BoundParts()
    /// The engine's inputs by name.
    var inputs: [String: InputIndex] = [:]
    var takes: [BoundTake] = []
    /// The layers that are recorded, or were, in the order in which they began.
    var layers: [BoundLayer] = []
    /// What is recorded over clips, or waits to be, by their identifiers.
    var overdubs: [String: OverdubStatus] = [:]
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

    mutating func bind(_ binding: ClipBinding) {
        clips[binding.document.id] = binding
        if let handle = binding.handle { clipIDs[handle] = binding.document.id }
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
        var lines = warnings
        for (index, scene) in document.scenes.enumerated() {
            guard let tempo = scene.tempo, let played = document.clamped(tempo) else { continue }
            lines.append(.clamped(tempo, to: "\(played)", path: path, key: "scenes[\(index)].tempo"))
        }
        lines += SessionParts.played.flatMap { $0.warnings(self) }
        // Most have none, and looking for what is said of a clip in the document's order takes longer.
        guard clips.values.contains(where: { $0.warning != nil || $0.problem != nil }) else { return lines }
        for track in document.tracks {
            for clip in track.clips {
                guard let binding = clips[clip.id] else { continue }
                if let line = binding.warning ?? binding.problem.map(SessionWarning.init) { lines.append(line) }
            }
        }
        return lines + document.unknownEffects(path: path)
    }
}
