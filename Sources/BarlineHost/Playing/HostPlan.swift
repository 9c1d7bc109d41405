import BarlineEngine
import BarlineSession
import BarlineTime

/// A plan of what a host plays, and of the files that it writes.
public struct HostPlan: Sendable {
    /// The session.
    public var document: SessionDocument
    /// The session's file: errors refer to it, and paths are relative to its folder.
    public var path: String
    /// Where sessions and recordings are kept.
    package var library = SessionLibrary.standard
    /// The script to perform.
    public var script = PerformanceScript()
    /// What is done besides, where its frames depend on the device's sample rate.
    package var entries: @Sendable (SampleRate) -> [ScriptEntry] = { _ in [] }
    /// What inputs have in place of what the output gives, at the output's rate.
    package var inputs: @Sendable (SampleRate) throws -> OfflineInputs = { _ in OfflineInputs() }
    /// What is done at the start. It belongs to the session that is begun with: undo does not reach it.
    package var opening: [ScriptAction] = []
    /// What asked for it, as errors call it.
    package var openingKey = "start"
    /// Files that are read besides the session's and the script's: none of them is written over.
    package var reads: [String] = []
    /// The file to record the performance to, as a script; written every few seconds, and at the end.
    public var record: String?
    /// Whether every track is recorded from the start on, each to a file of its own.
    package var recordsTracks = false
    /// The seconds after which the host ends by itself.
    public var duration: Double?
    /// Whether tracks, clips and stems may be added during playback.
    public var isEditable = false
    /// Whether it is the built-in set, which is saved under another name only.
    package var isDemo = false
    /// Gives the path of the built-in set's session; without it that can't be opened.
    package var demo: (@Sendable () throws(SessionError) -> String)?
    /// The state of the playlist at the end of another run.
    package var restored: PlaylistSnapshot?
    /// What it ends with, if anything.
    public var end: End?
    /// What its beats follow.
    package var clock = ClockSource.internal

    /// Creates a plan that plays a session until ``SessionHost/stop()``.
    ///
    /// - Parameters:
    ///   - document: the session.
    ///   - path: the session's file.
    public init(_ document: SessionDocument, path: String) {
        self.document = document
        self.path = path
    }

    /// Refuses to write over what is read.
    ///
    /// - Parameter paths: where something is to be written.
    /// - Throws: `SessionError` where one of them is read.
    package func check(_ paths: [String?]) throws(SessionError) {
        let paths = paths.compactMap(\.self)
        if paths.isEmpty { return }
        // What has no file has a name all the same.
        let own = (isEditable ? [path] : []) + (script.entries.isEmpty && script.beginning == nil ? [] : [script.path])
        let reads = ReadFiles(of: document, at: path, script, and: own + reads)
        for path in paths { try reads.check(path, readFor: "this performance") }
    }

    /// The condition on which a host ends.
    public enum End: Sendable {
        /// The stems.
        case stems
        /// The playlist.
        case playlist
    }
}
