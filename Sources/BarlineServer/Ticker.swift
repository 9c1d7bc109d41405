import BarlineEngine
import BarlineSession
import Foundation
import NIOCore
import Synchronization

/// Looks at the engine sixty times a second, and tells the hub what it sees.
final class Ticker: Sendable {
    private let session: LiveSession
    private let hub: SocketHub
    private let analyses: AnalysisStore
    private let playlist: PlaylistFacts
    private let cache = Mutex(StateCache())
    private let machine: Machine
    private let facts: @Sendable () -> OutputFacts
    private let worker = Worker("barline-page")

    private static let rate = 60.0
    private static let ticksPerState = 3
    private static let ticksPerAutosave = 300

    init(
        session: LiveSession, hub: SocketHub, analyses: AnalysisStore, machine: Machine,
        facts: @escaping @Sendable () -> OutputFacts
    ) {
        self.session = session
        self.hub = hub
        self.analyses = analyses
        self.facts = facts
        playlist = PlaylistFacts(session.player.playlist)
        self.machine = machine
    }

    /// Makes the first state, which whoever connects must find.
    func prepare() {
        let value = state(facts())
        let hub = hub
        // A loop that has ended has nobody to tell.
        _ = try? hub.loop.submit { hub.publish(value) }.wait()
    }

    func start() {
        worker.start { [self] in
            ServerThread.begin()
            run()
        }
    }

    func stop() { worker.end() }

    /// What must have changed for the state to be another one.
    private struct Stamp: Equatable {
        var session: Int
        var analyses: Int
        var facts: OutputFacts
        var sampleRate: Double
        var playlist: PlaylistState
        var oscPort: Int?
        var oscSenders: OSCAccess.Senders
        var midiInput: String?

        init(
            _ session: LiveSession, _ analyses: AnalysisStore, _ playlist: PlaylistFacts, _ machine: Machine,
            _ facts: OutputFacts
        ) {
            self.session = session.revision
            self.analyses = analyses.revision
            self.facts = facts
            // Told sixty times a second with the positions.
            self.facts.loudness = 0
            sampleRate = session.player.engine.state.sampleRate.hertz
            self.playlist = PlaylistState(session.player.playlist, playlist)
            oscPort = machine.osc?.port
            oscSenders = machine.access.known
            midiInput = machine.outputs?.midiPorts?.input
        }
    }

    private func run() {
        var clock = ClockMap()
        var facts = facts()
        var layout = PositionLayout(session.player)
        var stamp: Stamp?
        var heard = -1
        var tick = 0
        var next = LiveSession.now
        while !worker.shouldEnd {
            let state = session.player.engine.state
            clock.update(frame: state.frame, sampleRate: state.sampleRate, time: LiveSession.now)
            if tick % Ticker.ticksPerState == 0 {
                facts = self.facts()
                let now = Stamp(session, analyses, playlist, machine, facts)
                if now != stamp {
                    if now.playlist.revision != stamp?.playlist.revision { playlist.catchUp() }
                    stamp = now
                    publish(facts)
                }
                if heard != session.player.clipsRevision {
                    heard = session.player.clipsRevision
                    let (analyses, player) = (analyses, session.player)
                    Task { await analyses.catchUp(player) }
                }
                let hub = hub
                hub.loop.execute { hub.giveUpWaiting() }
            }
            if hub.hasClients {
                if layout.revision != session.player.revision { layout = PositionLayout(session.player, after: layout) }
                let frame = PositionFrame(
                    state: state, layout: layout, time: clock.time(of: state.frame, sampleRate: state.sampleRate),
                    facts: facts, isRecording: session.recording != nil
                ).encoded()
                let hub = hub
                hub.loop.execute { hub.sendPositions(frame) }
            }
            if tick % Ticker.ticksPerAutosave == Ticker.ticksPerAutosave - 1 { autosave() }
            tick += 1
            next = max(next + 1 / Ticker.rate, LiveSession.now - 0.1)
            Thread.sleep(forTimeInterval: max(0, next - LiveSession.now))
        }
    }

    private func state(_ facts: OutputFacts) -> JSONValue {
        let document = StateDocument(
            session: session, facts: facts, analyses: analyses, playlist: playlist, machine: machine)
        return cache.withLock { document.json(&$0) }
    }

    private func publish(_ facts: OutputFacts) {
        let value = state(facts)
        let hub = hub
        hub.loop.execute { hub.publish(value) }
    }

    private func autosave() {
        do throws(SessionError) {
            try session.autosave()
        } catch {
            let (hub, text) = (hub, error.words)
            hub.loop.execute { hub.notify(text) }
        }
    }
}
