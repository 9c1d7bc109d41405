import BarlineDemo
import BarlineDesktop
import BarlineEngine
import BarlineHost
import BarlineOutputs
import BarlineServer
import BarlineSession
import BarlineTime
import Foundation
import Synchronization

/// A host with the user interfaces that the command line asks for: a view on the terminal, the page, controllers, the
/// desktop.
final class LivePerformance: Sendable {
    /// The files written along the way, besides those that the host writes.
    struct Writing: Sendable {
        /// The file for what happens.
        var events: String?
        /// Where the playlist is kept from run to run.
        var store: PlaylistStore?
    }

    let host: SessionHost
    /// The session, for those who change it while it plays.
    var session: LiveSession { host.session }
    var player: SessionPlayer { host.player }
    var supervisor: OutputSupervisor { host.supervisor }
    /// Loudness of the main bus over the last 3 s, in LUFS.
    var loudness: Double { host.loudness }
    /// Where the page is, where it is served.
    var pageLink: String? { server.withLock { $0?.link } }

    /// Does what is asked for in JSON, as over the page's socket.
    var dispatcher: RequestDispatcher { server.withLock { $0?.dispatcher } ?? localDispatcher }

    private let localDispatcher: RequestDispatcher
    private let outputs: HostOutputs
    private let isChosenForUser: Bool
    /// Whether it is a session with a file, which may be edited and saved.
    let isEditable: Bool
    private let server = Mutex<SessionServer?>(nil)
    private let log: EventLog?
    private let recorder: FlightRecorder?
    private let desktop: DesktopPlayer?

    init(_ plan: SessionHost.Plan, selection: OutputSelection, writing: Writing = Writing()) async throws {
        try plan.check([writing.events])
        LockedMemory.lock()
        FreedMemory.giveBack()
        var plan = plan
        plan.demo = DemoSession.cached
        isChosenForUser = selection.backend == nil
        isEditable = plan.isEditable
        var bar = ProgressBar("Opening stems")
        defer { bar.end() }
        let host = try await SessionHost(plan, on: selection) { bar.show($0) }
        self.host = host
        for path in CrashLogs.collect(in: plan.library) {
            host.notify("an earlier run did not come to its end: what it did last is in \(path)", to: .user)
        }
        let supervisor = host.supervisor
        let recorder = FlightRecorder(host.session) { (supervisor.load, supervisor.xrunCount) }
        recorder?.noteFaults()
        if let recorder { host.add(recorder) }
        self.recorder = recorder
        ProgramLog.note(in: recorder)
        outputs = HostOutputs(host, scan: DeviceScan.listings)
        localDispatcher = RequestDispatcher(host.session, services: [OutputRequests(outputs), ServerRequests()])
        do throws(SessionError) {
            log = try writing.events.map { path throws(SessionError) in
                try EventLog(path: path, player: host.player) { host.notify($0, to: .user) }
            }
        } catch {
            LivePerformance.close(recorder)
            throw error
        }
        if let store = writing.store {
            host.add(PlaylistKeeper(host.player, store, since: plan.restored))
            let desktop = DesktopPlayer(host)
            self.desktop = desktop
            host.add(desktop)
        } else {
            desktop = nil
        }
        if let log { host.add(log) }
    }

    /// Plays as ``run(view:)`` does, on a thread of its own: tasks share as many threads as there are cores, and one that
    /// waits to the end would leave the page's requests one less.
    func runApart(view: any LiveView) async throws -> Int32 {
        nonisolated(unsafe) let view = view
        return try await withCheckedThrowingContinuation { continuation in
            NamedThread.start("barline-main") { continuation.resume(with: Result { try self.run(view: view) }) }
        }
    }

    /// Plays until the duration is over, the user ends it or a signal comes; returns the exit status.
    private func run(view: any LiveView) throws -> Int32 {
        let host = host
        Interruption.await { host.requestEnd() }
        let isFollowing = host.clock.source != .internal
        if isEditable || isFollowing, server.withLock({ $0 == nil }) { takeControllers { _ in } }
        if isFollowing, supervisor.format.backend != .jack {
            host.notify("a MIDI clock comes through JACK, and is followed as soon as that is played to", to: .user)
        }
        host.add(ViewObserver(view, self))
        host.start()
        let copies = session.status.recoverable.count
        if isEditable, copies > 0 {
            host.notify(
                (copies == 1
                    ? "changes from an earlier time were not saved and are kept"
                    : "changes from \(copies) earlier times were not saved and are kept")
                    + ": the page offers them, and the line {\"do\": \"recover\"} on standard input takes "
                    + (copies == 1 ? "them over" : "the latest of them over"), to: .user)
        }
        for take in session.recoveredTakes {
            host.notify(
                "a recording of \(SessionNotice.time(take.seconds)) was broken off and is rescued: \(take.name). The page"
                    + " offers it, and \"barline takes\" keeps it or throws it away", to: .user)
        }
        if isChosenForUser, supervisor.format.backend == .null {
            host.notify(
                "no sound server or device was found: playing to the clock, which is not heard. Start JACK or"
                    + " PipeWire to hear it, which is joined then, or write a file with \"barline render\"", to: .user)
            host.lookForOutput()
        }
        host.awaitEnding()
        let problem: SessionError?
        do throws(SessionError) {
            try host.stop()
            problem = log?.problem
        } catch {
            problem = error
        }
        // A terminal that takes no more text still gets its keyboard back.
        if !host.areObserversDone { view.abandon() }
        LivePerformance.close(recorder)
        if let status = Interruption.status {
            // Who asks for the end does not wait for one who reads no messages either.
            if let problem { LogWriter.text.write(Terminal.message("\(problem)")) }
            return status
        }
        if let problem { throw problem }
        return host.hasPlayedNothing ? 1 : 0
    }

    /// The program ends as it should, and leaves no log as one that has crashed does.
    private static func close(_ recorder: FlightRecorder?) {
        ProgramLog.note(in: nil)
        recorder?.close()
    }

    /// Serves the session from now on; returns the page's link, where the page is served.
    func serve(_ configuration: ServerConfiguration) throws(ServerError) -> String? {
        let server: SessionServer
        do throws(ServerError) {
            server = try SessionServer(host, configuration: configuration, outputs: outputs)
        } catch {
            LivePerformance.close(recorder)
            throw error
        }
        self.server.withLock { $0 = server }
        host.add(server)
        if let warning = server.linkWarning { host.notify(warning, to: .user) }
        takeControllers { server.notify($0.words) }
        return server.link
    }

    /// Takes MIDI controllers in, whenever the output is a JACK server; what can't be done is reported.
    private func takeControllers(_ refused: @escaping @Sendable (SessionError) -> Void) {
        let controllers = host.controllers
        let port = MIDIControl.Port(
            take: { controllers.take(near: $0).map { ($0.bytes, $0.frame) } }, send: { controllers.send($0) },
            joined: { controllers.joinCount }, wait: { controllers.wait(seconds: $0) }, wake: { controllers.wake() })
        let host = host
        let makeClock: @Sendable () -> MIDIClockInput? = {
            guard host.clock.source == .midi else { return nil }
            return MIDIClockInput(host.session, host.clock) { host.notify($0) }
        }
        host.add(MIDIControl(session, port: port, clock: makeClock, refused: refused))
    }

    // MARK: What a view asks for

    /// Performs an action now; what is wrong with it is shown to the user.
    func perform(_ action: ScriptAction, _ view: any LiveView) {
        do throws(SessionError) {
            if let warning = try session.perform(action, source: player.path, reach: .user).warning {
                view.notify(warning.description)
            }
        } catch {
            view.notify("\(error)")
        }
    }

    /// Presses a foot switch, and says in the view what is wrong.
    func press(_ pedal: FootSwitch.Pedal, _ view: any LiveView) {
        do throws(SessionError) {
            for case .perform(let word, _) in try session.resolved(
                .relative(.footSwitch(pedal, .tap), at: nil), source: player.path)
            {
                perform(word, view)
            }
        } catch {
            view.notify("\(error)")
        }
    }

    /// Ends the performance.
    func end() { host.requestEnd() }
}
