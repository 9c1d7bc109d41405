import BarlineEngine
import BarlineSession
import BarlineTime

/// The order in which a session shows the engine's tracks and stems, and how fast its clips move.
struct PositionLayout {
    private struct Pace {
        /// Quarter notes of the region, for clips that follow the tempo.
        let beats: Double?
        /// Seconds of the region, for those that do not.
        let seconds: Double
    }

    let revision: Int
    private let clipsRevision: Int
    let tracks: [TrackIndex]
    let stems: [StemIndex]
    /// The session's parts that are folders of their own.
    let parts: [any PartPositions]
    /// The session's inputs.
    let inputs: [InputIndex]
    /// How many outputs the session has.
    let outputCount: Int
    private let paces: [ClipHandle: Pace]

    /// The layout of what is played.
    ///
    /// - Parameters:
    ///   - player: what plays it.
    ///   - before: the layout before, from which is taken what has not changed since.
    init(_ player: SessionPlayer, after before: PositionLayout? = nil) {
        revision = player.revision
        let (clips, bound, changed) = player.clips(since: before?.clipsRevision)
        clipsRevision = bound
        let document = player.document
        tracks = document.tracks.compactMap { player.trackIndex(of: $0.id) }
        outputCount = player.outputs.count
        stems = document.stems.compactMap { player.stemIndex(of: $0.id) }
        let places = player.inputs
        inputs = document.inputs.compactMap { places[$0.name] }
        parts = SessionParts.published.map { $0.positions(player) }
        // Handles of clips that are gone are nobody's any more.
        let isPart = changed.map { $0.allSatisfy { clips[$0] != nil } } ?? false
        var paces = isPart ? before?.paces ?? [:] : [:]
        for id in isPart ? changed ?? [] : Set(clips.keys) {
            guard let binding = clips[id], let handle = binding.handle, let samples = binding.audio?.samples else {
                continue
            }
            let frames = (binding.document.end ?? samples.frameCount) - binding.document.start
            paces[handle] = Pace(
                beats: binding.beats, seconds: max(1e-9, Double(frames) / samples.sampleRate.hertz))
        }
        self.paces = paces
    }

    /// How much of a clip's region goes by in a frame.
    func progressPerFrame(of clip: ClipHandle, _ state: EngineState) -> Double {
        guard let pace = paces[clip] else { return 0 }
        let rate = state.sampleRate.hertz
        guard let beats = pace.beats else { return 1 / (pace.seconds * rate) }
        return state.transport.tempo.beats(in: 1) / rate / beats
    }
}
