import BarlineEngine
import BarlineFiles

/// A clip of the document, bound to the engine's clip.
///
/// It is a class so that copying a large table costs one reference per clip.
public final class ClipBinding: Sendable {
    /// The document's clip.
    public let document: ClipDocument
    /// The track it plays on.
    public let track: TrackIndex
    /// The engine's clip; `nil` if loading failed.
    public let handle: ClipHandle?
    /// The decoded file; `nil` if loading failed.
    public let audio: AudioClip?
    /// The tempo in BPM at which it plays at its original speed; `nil` if unknown.
    public let tempo: Double?
    /// Its length in quarter notes; `nil` if it plays at its own rate.
    public let beats: Double?
    /// The frame that is aligned with the launch boundary; `nil` for the first one of the region.
    package let firstBeat: Int?
    /// The frames at which attacks begin, if it is time-stretched.
    package let onsets: [Int]
    /// Why loading failed.
    public let problem: SessionError?
    /// A warning about its playback.
    public let warning: SessionWarning?
    /// Whether the engine has recorded what it plays.
    let isRecorded: Bool
    /// The layers that can't be gone to.
    package let missingLayers: MissingLayers

    init(
        document: ClipDocument, track: TrackIndex, handle: ClipHandle?, audio: AudioClip?, tempo: Double?,
        beats: Double?, firstBeat: Int?, onsets: [Int], problem: SessionError?, warning: SessionWarning?,
        isRecorded: Bool = false, missingLayers: MissingLayers = MissingLayers()
    ) {
        self.document = document
        self.track = track
        self.handle = handle
        self.audio = audio
        self.tempo = tempo
        self.beats = beats
        self.firstBeat = firstBeat
        self.onsets = onsets
        self.problem = problem
        self.warning = warning
        self.isRecorded = isRecorded
        self.missingLayers = missingLayers
    }
}

extension ClipBinding {
    convenience init(
        _ preparation: ClipPreparation, _ prepared: ClipPreparation.Prepared, handle: ClipHandle,
        isRecorded: Bool = false
    ) {
        self.init(
            document: preparation.document, track: preparation.track, handle: handle, audio: prepared.audio,
            tempo: prepared.tempo, beats: prepared.settings.beats, firstBeat: prepared.firstBeat,
            onsets: prepared.settings.onsets, problem: nil,
            warning: prepared.warning, isRecorded: isRecorded, missingLayers: prepared.missing)
    }

    convenience init(_ preparation: ClipPreparation, problem: SessionError) {
        self.init(
            document: preparation.document, track: preparation.track, handle: nil, audio: nil, tempo: nil, beats: nil,
            firstBeat: nil, onsets: [], problem: problem, warning: nil)
    }

    /// Whether the engine plays what the document's clip sounds like, on the same track.
    func isSame(as document: ClipDocument, on track: TrackIndex) -> Bool {
        problem == nil && self.track == track && self.document.soundsLike(document)
    }

    /// The same, as the binding of what the document's clip has become.
    func playing(_ document: ClipDocument) -> ClipBinding { with(document, audio) }

    /// The same with its audio, which was still to come.
    func having(_ audio: AudioClip) -> ClipBinding { with(document, audio) }

    /// The same, playing its file in place of what the engine has recorded.
    func streaming(_ audio: AudioClip) -> ClipBinding { with(document, audio, isRecorded: false) }

    private func with(_ document: ClipDocument, _ audio: AudioClip?, isRecorded: Bool? = nil) -> ClipBinding {
        ClipBinding(
            document: document, track: track, handle: handle, audio: audio, tempo: tempo, beats: beats,
            firstBeat: firstBeat, onsets: onsets, problem: problem, warning: warning,
            isRecorded: isRecorded ?? self.isRecorded, missingLayers: missingLayers)
    }
}
