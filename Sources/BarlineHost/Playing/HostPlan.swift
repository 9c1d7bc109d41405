import BarlineEngine
import BarlineSession
import BarlineTime

/// What a host plays, and what is written along the way.
public struct HostPlan: Sendable {
    /// What is played.
    public var document: SessionDocument
    /// The session's file, as errors call it; relative paths start at its folder.
    public var path: String
    /// Where sessions and recordings are kept.
    package var library = SessionLibrary.standard
    /// What is done when.
    public var script = PerformanceScript()
    /// What is done besides, where its frames depend on the device's sample rate.
    package var entries: @Sendable (SampleRate) -> [ScriptEntry] = { _ in [] }
    /// What is done at the start. It belongs to the session that is begun with: undo does not reach it.
    package var opening: [ScriptAction] = []
    /// What asked for it, as errors call it.
    package var openingKey = "start"
    /// The file for what is done, a script; written at the end.
    public var record: String?
    /// Seconds after which the host ends by itself.
    public var duration: Double?
    /// Whether tracks, clips and stems may be added while it plays.
    public var isEditable = false
    /// Whether it is the built-in set, which is saved under another name only.
    package var isDemo = false
    /// Gives the path of the built-in set's session; without it that can't be opened.
    package var demo: (@Sendable () throws(SessionError) -> String)?
    /// How the playlist stood at the end of another run.
    package var restored: PlaylistSnapshot?
    /// What it ends with, besides.
    public var end: End?

    /// A session, played until ``SessionHost/stop()``.
    ///
    /// - Parameters:
    ///   - document: what is played.
    ///   - path: the session's file.
    public init(_ document: SessionDocument, path: String) {
        self.document = document
        self.path = path
    }

    /// What a host may end with.
    public enum End: Sendable {
        /// With the stems.
        case stems
        /// With the playlist.
        case playlist
    }
}
