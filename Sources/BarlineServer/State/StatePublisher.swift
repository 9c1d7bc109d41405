import BarlineHost
import BarlineSession
import Synchronization

/// Rebuilds the state when something in it may have changed, and publishes it.
final class StatePublisher: Sendable {
    /// The stamp of everything that the state depends on.
    private struct Stamp: Equatable {
        var session: Int
        var analyses: Int
        var facts: OutputFacts
        var sampleRate: Double
        var playlist: PlaylistState
        var oscPort: Int?
        var oscSenders: OSCAccess.Senders
        var midiPorts: MIDIPorts?
        var clockState: ClockStatus.State?
        var givesInputs: Bool
        var stemsLoop: Range<Double>?
    }

    private let session: LiveSession
    private let analyses: AnalysisStore
    private let outputs: OutputRequests
    private let server: ServerRequests
    private let playlist: PlaylistFacts
    private let facts: @Sendable () -> OutputFacts
    private let publish: @Sendable (StateValue) -> Void
    private let last = Mutex(Last())

    /// The state that was published last.
    private struct Last {
        var stamp: Stamp?
        /// The list whose files were looked at.
        var looked: Int?
        var cache = StateCache()
    }

    /// - Parameters:
    ///   - session: what is published.
    ///   - analyses: what is known of its clips.
    ///   - outputs: what it plays on.
    ///   - server: what serves it.
    ///   - facts: what is known of the output now.
    ///   - publish: called with each state; it must not wait. Calls come one after the other.
    init(
        _ session: LiveSession, analyses: AnalysisStore, outputs: OutputRequests, server: ServerRequests,
        facts: @escaping @Sendable () -> OutputFacts,
        publish: @escaping @Sendable (StateValue) -> Void
    ) {
        self.session = session
        self.analyses = analyses
        self.outputs = outputs
        self.server = server
        self.facts = facts
        self.publish = publish
        playlist = PlaylistFacts(session.player.playlist)
    }

    /// Publishes the state where it may have changed since the last time: when this returns, what was handed on last is
    /// what is.
    ///
    /// - Returns: what is known of the output.
    @discardableResult
    func catchUp() -> OutputFacts {
        last.withLock { last in
            let facts = facts()
            let now = stamp(facts)
            if now == last.stamp { return facts }
            if now.playlist.revision != last.stamp?.playlist.revision { playlist.catchUp() }
            last.stamp = now
            let document = StateDocument(
                session: session, facts: facts, analyses: analyses, playlist: playlist, outputs: outputs,
                server: server)
            publish(document.value(&last.cache))
            return facts
        }
    }

    /// Has the files of a playlist looked at that has changed since the last time: that takes a while, and whoever
    /// comes finds it done.
    func lookAhead() {
        last.withLock { last in
            let revision = session.player.playlist.player.revision
            if last.looked == revision { return }
            last.looked = revision
            playlist.catchUp()
        }
    }

    private func stamp(_ facts: OutputFacts) -> Stamp {
        var facts = facts
        // Sent sixty times a second with the positions.
        facts.loudness = 0
        return Stamp(
            session: session.revision, analyses: analyses.revision, facts: facts,
            sampleRate: session.player.engine.sampleRate.hertz,
            playlist: PlaylistState(session.player.playlist, playlist), oscPort: server.osc?.port,
            oscSenders: server.access.known, midiPorts: outputs.midiPorts, clockState: outputs.clockState,
            givesInputs: session.player.givesInputs, stemsLoop: session.player.multitrack?.loop)
    }
}
