import BarlineEngine
import BarlineFiles
import BarlineTime
import Synchronization

/// A session on an engine: its clips loaded, its identifiers bound to the engine's handles.
///
/// ```swift
/// let document = try SessionDocument(path: "set.barline")
/// let player = try await SessionPlayer(document, path: "set.barline")
/// try player.perform(.launchScene(0))
/// ```
public final class SessionPlayer: Sendable {
    /// The handling of clips that can't be loaded.
    public enum Policy: Sendable {
        /// The session is refused.
        case strict
        /// The clip is silent, the rest plays.
        case lenient
    }

    /// Sends an action whose identifiers were found, and returns its command; `nil` for what is done when its audio is
    /// there.
    typealias Sending = ((any Moment)?) throws(EngineError) -> CommandID?

    /// The engine that plays it.
    public let engine: Engine
    /// The playlist, fed by the renderer's caller or by threads.
    public let playlist: SessionPlaylist
    /// What has been heard in the clips.
    package let listener: TempoListener

    /// What has happened in the engine and was not taken.
    let events: EventQueue
    let loader: AudioClipLoader
    let bound: Mutex<BoundSession>
    /// Whether the engine is rendered with inputs: without that, recordings are refused.
    package let hasInputs = Atomic<Bool>(false)
    /// The inputs that have a signal in place of what a device gives.
    package let fedInputs = Mutex(FedInputs())
    /// The latencies of inputs, as the output reports them; inputs whose devices are not known are missing.
    package let inputLatencies = Mutex<[InputIndex: ClipLatency]>([:])
    /// Writes what is recorded into slots.
    package let takes = TakeKeeper()
    /// What was recorded into slots, with the clips' identifiers, where a render writes it in the end, whatever became
    /// of the clips; `nil` where nobody does.
    let writtenTakes = Mutex<[(id: String, take: TakeHandle)]?>(nil)
    let history: Mutex<PerformanceHistory>
    /// Taps whose tempo is to be kept.
    let taps = Mutex(SentTaps())
    /// Settings for later, which are to be kept.
    let plans = Mutex(SentPlans())
    /// Whether something may still sound that is about to end.
    let isBecomingQuiet = Atomic<Bool>(false)
    private let scene = Mutex<Int?>(nil)

    /// The row that was launched last as a scene; `nil` where none was.
    var launchedScene: Int? {
        get { scene.withLock { $0 } }
        set { scene.withLock { $0 = newValue } }
    }

    /// The current session.
    public var document: SessionDocument { bound.withLock { $0.document } }
    /// The session's file, as errors refer to it.
    public var path: String { bound.withLock { $0.path } }
    /// Both at one moment.
    var documentAndPath: (SessionDocument, String) { bound.withLock { ($0.document, $0.path) } }
    /// The clips by identifier.
    ///
    /// - Complexity: O(*n*).
    public var clips: [String: ClipBinding] { clipTable.dictionary }
    /// The same, in a table that is had at once.
    package var clipTable: SharedTable<ClipBinding> { bound.withLock { $0.clips } }
    /// Counts changes of ``clips``.
    package var clipsRevision: Int { bound.withLock { $0.clipsRevision } }

    /// The clips as they are now, ``clipsRevision``, and which of them have changed since it was `revision`.
    ///
    /// - Returns: `changed` is `nil` where that is too long ago, or nobody knows of any clip yet.
    package func clips(
        since revision: Int?
    ) -> (clips: SharedTable<ClipBinding>, revision: Int, changed: Set<String>?) {
        bound.withLock { bound in
            (bound.clips, bound.clipsRevision, revision.flatMap { bound.clipsChanged(since: $0) })
        }
    }

    /// The stems; `nil` if the session has none. Fed by the renderer's caller or by threads.
    public var multitrack: Multitrack? { bound.withLock { $0.multitrack } }
    /// Warnings, one line each.
    ///
    /// - Complexity: O(*n*) in the warnings.
    public var warnings: [String] { advice.map(\.description) }
    /// The same for people and for programs.
    package var advice: [SessionWarning] { bound.withLock { $0.allWarnings } }
    /// The names of the engine's outputs. Edits append new ones and keep the indices of the others.
    public var outputs: [String] { bound.withLock { $0.outputs } }
    /// Counts the changes of the session.
    package var revision: Int { bound.withLock { $0.revision } }

    /// Creates a player of a session that was brought to `engine`.
    init(
        _ bound: BoundSession, engine: Engine, events: EventQueue, playlist: SessionPlaylist, loader: AudioClipLoader,
        listener: TempoListener, history: PerformanceHistory
    ) {
        self.engine = engine
        self.events = events
        self.playlist = playlist
        self.loader = loader
        self.listener = listener
        self.history = Mutex(history)
        self.bound = Mutex(bound)
        playlist.player.followResent { [weak self] former, command in
            self?.history.withLock { $0.resend(former, as: command) }
        }
    }

    /// The name of a loaded clip.
    ///
    /// - Complexity: O(1): clips are found by their handles.
    public func name(of clip: ClipHandle) -> String {
        bound.withLock { bound in bound.clipIDs[clip].flatMap { bound.clips[$0] }?.document.name ?? "" }
    }

    /// The clip of a track of the document in row `slot`.
    ///
    /// - Complexity: O(*n*) in the clips of the track.
    public func clip(track: Int, slot: Int) -> ClipBinding? { bound.withLock { $0.clip(track: track, slot: slot) } }

    /// The engine's track for a track of the document.
    public func trackIndex(of id: String) -> TrackIndex? { bound.withLock { $0.tracks[id] } }

    /// The engine's stem for a stem of the document.
    public func stemIndex(of id: String) -> StemIndex? { bound.withLock { $0.stems[id] } }

    /// The document's track for a track of the engine.
    ///
    /// - Complexity: O(*n*) in the tracks.
    public func track(_ index: TrackIndex) -> TrackDocument? {
        bound.withLock { bound in bound.document.tracks.first { bound.tracks[$0.id] == index } }
    }

    /// Does what may be refused; why it was is reported.
    func attempt(_ key: String, _ bound: inout BoundSession, _ body: () throws(EngineError) -> Void) {
        do throws(EngineError) {
            try body()
        } catch {
            bound.warnings.append(SessionWarning(.engine(path: bound.path, key: key, error)))
        }
    }
}

extension SessionDocument {
    /// The tempo that is played in the place of one that the engine can't play.
    func clamped(_ tempo: Double) -> Tempo? {
        let played = Tempo(clamping: tempo)
        return played.beatsPerMinute == tempo ? nil : played
    }

    /// What the user should know of its tempos: those that the engine can't play.
    func clampedTempos(path: String) -> [SessionWarning] {
        let scenes = scenes.enumerated().map { ("scenes[\($0.offset)].tempo", $0.element.tempo) }
        return ([("tempo", tempo)] + scenes).compactMap { key, tempo in
            guard let tempo, let played = clamped(tempo) else { return nil }
            return .clamped(tempo, to: "\(played)", path: path, key: key)
        }
    }
}
