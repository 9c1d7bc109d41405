import BarlineEngine
import BarlineSession
import Foundation
import NIOCore

/// Samples the engine sixty times a second while anybody is connected, twenty times where nothing moves, and hands the
/// hub what it reads.
final class Ticker: Sendable {
    private let session: LiveSession
    private let hub: SocketHub
    private let analyses: AnalysisStore
    private let state: StatePublisher
    private let worker = Worker("barline-page")

    private static let rate = 60.0
    private static let ticksPerState = 3
    /// The interval while nobody is connected, in seconds; a client that connects is served at once.
    private static let restSeconds = 0.25

    init(session: LiveSession, hub: SocketHub, analyses: AnalysisStore, state: StatePublisher) {
        self.session = session
        self.hub = hub
        self.analyses = analyses
        self.state = state
    }

    func start() {
        worker.start { [self] in
            ServerThread.begin("barline-page")
            run()
        }
    }

    func stop() { worker.end(waking: hub.arrivals.note) }

    private func run() {
        var clock = ClockMap()
        var facts = OutputFacts()
        var layout = PositionLayout(session.player)
        var clipsRevision = -1
        var tick = 0
        var isOpen = false
        var stillness = StillnessDetector()
        var next = LiveSession.now
        while !worker.shouldEnd {
            let seen = hub.arrivals.count
            let isWanted = hub.isWatched
            let state = session.player.engine.state
            clock.update(frame: state.frame, sampleRate: state.sampleRate, time: LiveSession.now)
            let isResting = stillness.isStill || !hub.hasClients
            if !isWanted || !isOpen || isResting || tick % Ticker.ticksPerState == 0 {
                // What nobody wants to know is not made.
                if isWanted { facts = self.state.catchUp() } else { self.state.lookAhead() }
                if clipsRevision != session.player.clipsRevision {
                    clipsRevision = session.player.clipsRevision
                    let (analyses, player) = (analyses, session.player)
                    Task { await analyses.catchUp(player) }
                }
            }
            if isOpen != isWanted {
                isOpen = isWanted
                let hub = hub
                hub.serverLoop.execute { isWanted ? hub.open() : hub.rest() }
            }
            if hub.hasClients {
                if layout.revision != session.player.revision { layout = PositionLayout(session.player, after: layout) }
                let frame = PositionFrame(
                    state: state, layout: layout, time: clock.time(of: state.frame, sampleRate: state.sampleRate),
                    facts: facts, isRecording: session.recording != nil
                ).encoded()
                let hub = hub
                if stillness.sends(frame) {
                    hub.serverLoop.execute { hub.sendPositions(frame) }
                }
            }
            if !isWanted {
                hub.arrivals.wait(since: seen, seconds: Ticker.restSeconds)
                next = LiveSession.now
                continue
            }
            tick += 1
            let ticks = isResting ? Ticker.ticksPerState : 1
            next = max(next + Double(ticks) / Ticker.rate, LiveSession.now - 0.1)
            Thread.sleep(forTimeInterval: max(0, next - LiveSession.now))
        }
    }
}
