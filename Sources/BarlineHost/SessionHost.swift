import BarlineEngine
import BarlineOutputs
import BarlineSession
import BarlineTime
import Foundation
import Synchronization

/// A session that plays on an output: a headless application.
///
/// A host has the output, the engine's session and one thread between them, which sends what a script asks for, takes
/// events and sound from the engine, and keeps recordings going. User interfaces (a terminal, a page, a file of events,
/// the desktop) are ``HostObserver``s: each is called on a thread of its own, and one that hangs does not hold up the
/// others. All of them act through ``perform(_:at:)``.
///
/// ```swift
/// let document = try SessionDocument(path: "set.barline")
/// let host = try await SessionHost(SessionHost.Plan(document, path: "set.barline"), on: OutputSelection())
/// host.add(view)
/// host.start()
/// try host.perform(.launchScene(0))
/// // … until the user quits, or host.isEnding
/// try host.stop()
/// ```
public final class SessionHost: Sendable {
    /// What to play, and the files to write.
    public typealias Plan = HostPlan

    /// The session: whoever wants to change something asks it.
    package let session: LiveSession
    /// The output.
    public let supervisor: OutputSupervisor
    /// MIDI controllers of the JACK server that is played to.
    package let controllers: JackControllers
    /// How the clock that is followed stands.
    package let clock: ClockStatus
    /// The player of the session.
    public var player: SessionPlayer { session.player }
    /// The short-term loudness of the main output (3 s) in LUFS; minus infinity for silence.
    public var loudness: Double { loudnessReading.value }
    /// Whether it has reached its end, or ``requestEnd()`` was called: time for ``stop()``.
    public var isEnding: Bool { ending.isWanted }
    /// Whether nothing of a list that was to be played could be.
    package var hasPlayedNothing: Bool { ending.hasPlayedNothing }
    /// What it plays on, and how others are opened.
    let selection: OutputSelection

    private let plan: Plan
    private let pump: HostPump
    private let observers: ObserverList
    private let ending: HostEnding
    private let loudnessReading: LoudnessReading
    private let hasStarted = Atomic<Bool>(false)
    private let hasStopped = Atomic<Bool>(false)
    private let worker = Worker("barline-host")

    /// How far ahead a playlist is written for outputs that take audio long before it is heard, in seconds.
    private static let longFormAhead = 30.0
    /// How often what has happened is taken from the engine and reported, in seconds.
    private static let stepSeconds = 0.015
    /// The same while nothing can happen, unless something is asked for.
    private static let restSeconds = 0.1
    /// How long observers are waited for at the end, in seconds.
    private static let observerTimeout = 1.0
    /// How much of what is heard is kept for observers of the sound, in frames: 0.7 s at 192 kHz.
    private static let tapFrames = 1 << 17
    /// How much of the script is sent before the first block, in seconds.
    private static let openingSeconds = 2.0
    /// How long the output continues at the end, so that fades out are heard, in seconds.
    private static let fadeOutSeconds = 0.05

    /// Opens the output and starts playing. Actions of the plan at time 0 take effect before the first block.
    ///
    /// - Parameters:
    ///   - plan: what to play.
    ///   - selection: the output.
    ///   - progress: called with the fraction of the stems that are open, 0 … 1.
    /// - Throws: `OutputError` if the output can't be opened, `SessionError` if the session or its script is invalid.
    public init(
        _ plan: Plan, on selection: OutputSelection, progress: (Double) -> Void = { _ in }
    ) async throws {
        try plan.check([plan.record])
        if let record = plan.record { try LineFile.check(record) }
        let device = try selection.open()
        // A device that is lost is waited for: another backend would take the sound elsewhere.
        let reopened = selection.fixed(to: device.format.backend)
        let player = try await SessionPlayer(read: plan.document, path: plan.path, policy: .lenient) { configuration in
            configuration.sampleRate = device.format.sampleRate
            configuration.tapFrames = SessionHost.tapFrames
            // Off it is there too: it can be turned on without a gap.
            configuration.limiter = plan.document.limiter
            if plan.isEditable { configuration.reserveForEditing() }
        } progress: {
            progress($0)
        }
        player.hasInputs.store(device.givesInputs, ordering: .relaxed)
        try player.feed(plan.inputs(device.format.sampleRate))
        try player.check(plan.script)
        session = LiveSession(player, isDemo: plan.isDemo, demo: plan.demo, library: plan.library)
        var feeder = ScriptFeeder(plan, sampleRate: device.format.sampleRate)
        if plan.record != nil { player.startRecording() }
        // What is due at the start is there before the first block asks for it.
        try await feeder.makeFirstChanges(session)
        let pending = feeder.feed(
            before: FrameTime(device.format.sampleRate.frames(seconds: SessionHost.openingSeconds)), session)
        for action in plan.opening {
            _ = try session.perform(action, source: plan.path, key: plan.openingKey, reach: .user)
        }
        if let restored = plan.restored { try player.playlist.restore(restored) }
        session.beginHistory()
        if plan.recordsTracks { try session.recordTracks("--record-tracks") }
        // Until here the stems are fed by hand, so that their start is there before the first block too.
        player.multitrack?.startFeeding()
        // An output that takes audio long before it is heard is given no reason to wait.
        if device.format.sendAhead > 0 { player.playlist.player.ahead = SessionHost.longFormAhead }
        player.playlist.player.startFeeding()
        supervisor = try OutputSupervisor(
            device, engine: player.engine, busNames: plan.document.outputs,
            inputs: player.deviceInputs(LatencyStore(plan.library).measured), reopenWith: reopened.open)
        controllers = JackControllers(supervisor)
        clock = ClockStatus(plan.clock)
        observers = ObserverList()
        ending = HostEnding()
        loudnessReading = LoudnessReading()
        self.plan = plan
        self.selection = reopened
        pump = HostPump(
            plan, session: session, supervisor: supervisor, feeder: feeder, observers: observers, ending: ending,
            loudness: loudnessReading)
        let list = observers
        if let record = plan.record {
            ScriptKeeper(path: record, player: player) { list.notify($0) }.map(list.add)
        }
        if plan.isEditable {
            list.add(AutosaveKeeper(session) { list.notify($0) })
            session.recoverTakes()
            session.claim()
        }
        let controls = MIDIDocument.warnings(of: player.document, file: player.path).map(\.description)
        for warning in player.warnings + controls + pending { notify(warning, to: .user) }
    }

    /// Performs an action on the calling thread. It can be undone, and may refer to files of the session's folder and
    /// of the library.
    ///
    /// - Parameters:
    ///   - action: the action.
    ///   - time: its time; seconds count from now, `nil` is at once.
    /// - Returns: the command, whose event the engine emits when it takes effect; `nil` if none was needed.
    /// - Throws: `SessionError` if an identifier is unknown or the engine refuses.
    @discardableResult
    public func perform(_ action: ScriptAction, at time: ScriptTime? = nil) throws(SessionError) -> CommandID? {
        try session.perform(action, at: time).command
    }

    // MARK: Observers

    /// Adds an observer of everything from now on, and of earlier notices that no observer has received.
    public func add(_ observer: any HostObserver) { observers.add(observer) }

    /// Notifies observers of something that a person should know.
    package func notify(_ text: String, to audience: HostNotice.Audience = .everybody) {
        observers.notify(HostNotice(text, to: audience))
        look()
    }

    // MARK: Beginning and ending

    /// Starts the thread that reports events, performs the script and writes recordings.
    ///
    /// Does nothing if it was started.
    ///
    /// - Complexity: O(1); the thread takes O(*n*) for *n* events and entries of the script.
    public func start() {
        if hasStarted.exchange(true, ordering: .sequentiallyConsistent) { return }
        worker.start { [self] in
            let activity = player.engine.activity
            while !hasStopped.load(ordering: .acquiring) {
                let seen = activity.count
                pump.step()
                if pump.isAtRest {
                    activity.wait(since: seen, seconds: SessionHost.restSeconds)
                } else {
                    Thread.sleep(forTimeInterval: SessionHost.stepSeconds)
                }
            }
        }
    }

    /// Waits until ``isEnding``.
    package func awaitEnding() { ending.await() }

    /// Has observers called at once with what they are interested in, though nothing plays: somebody waits for them.
    package func look() { player.engine.activity.note() }

    /// Sets ``isEnding``, so that the host's owner calls ``stop()``.
    public func requestEnd() { ending.request() }

    /// Looks for an output that is heard, where the clock was taken for want of one; the user is notified when there is
    /// one.
    package func lookForOutput() {
        let selection = selection
        let observers = observers
        var wanted = selection
        wanted.backend = nil
        let found = wanted
        supervisor.improve(with: found.openAudible) {
            found.fixed(to: $0.backend).open
        } then: {
            observers.notify(HostNotice("playing to \($0.name) from now on", to: .everybody))
        }
    }

    /// Ends recordings, delivers outstanding reports, and closes the output.
    ///
    /// Observers have a second to finish. One that needs longer is abandoned.
    ///
    /// - Throws: `SessionError` if the plan's files can't be written.
    /// - Complexity: O(*n*) in the observers, the events not yet reported, and the lines of the files written.
    public func stop() throws(SessionError) {
        if hasStopped.exchange(true, ordering: .sequentiallyConsistent) { return }
        look()
        worker.end()
        // What was done last is known by its frame before a recording ends.
        pump.step()
        for problem in session.finishRecording(keepsChanges: plan.isEditable) { notify("\(problem)", to: .user) }
        pump.reportRemaining()
        observers.announceClosing(within: SessionHost.observerTimeout)
        controllers.close()
        _ = try? player.engine.launcher.stopAllNow()
        for streaming in player.streaming { streaming.pause(at: nil) { _ in } }
        // The last blocks fade out.
        Thread.sleep(forTimeInterval: SessionHost.fadeOutSeconds)
        supervisor.stop()
        for streaming in player.streaming { streaming.close() }
        pump.reportLast()
        let problems = session.finish(keepsChanges: plan.isEditable)
        for problem in problems { notify("\(problem)", to: .user) }
        if !problems.isEmpty { pump.reportLast() }
        observers.end(within: SessionHost.observerTimeout)
        if let record = plan.record { try player.writeRecordedScript(to: record) }
    }

    /// Whether every observer has come to its end, so that nothing of them runs any more.
    package var areObserversDone: Bool { observers.areDone }
}
