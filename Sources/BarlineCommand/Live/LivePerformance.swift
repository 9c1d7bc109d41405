import BarlineAnalysis
import BarlineDemo
import BarlineDesktop
import BarlineEngine
import BarlineOutputs
import BarlineServer
import BarlineSession
import BarlineTime
import Foundation
import Synchronization

/// A session that plays on an output until it is ended.
final class LivePerformance {
    /// What is played, and what is written along the way.
    struct Plan {
        /// What is played.
        var document: SessionDocument
        /// The session's file, as errors call it.
        var path: String
        /// What is done when.
        var script = PerformanceScript()
        /// What is done besides, where its frames depend on the device's sample rate.
        var entries: (SampleRate) -> [ScriptEntry] = { _ in [] }
        /// What is done at the start.
        var opening: [ScriptAction] = []
        /// The option that asks for it, as errors call it.
        var openingKey = "start"
        /// The file for what is done.
        var record: String?
        /// The file for what happens.
        var events: String?
        /// Seconds after which the performance ends.
        var duration: Double?
        /// Whether tracks, clips and stems may be added while it plays.
        var isEditable = false
        /// Whether it is the built-in set.
        var isDemo = false
        /// Where the playlist is kept from run to run, and how it stood at the end of the last one.
        var store: PlaylistStore?
        var restored: PlaylistSnapshot?
        /// What it ends with, besides.
        var end: End?
    }

    /// What a performance may end with.
    enum End {
        case stems
        case playlist
    }

    let player: SessionPlayer
    let supervisor: OutputSupervisor
    /// Loudness of the main bus over the last 3 s, in LUFS.
    var loudness: Double { loudnessReading.value }
    /// Where the page is, where it is served.
    var pageLink: String? { server?.link }
    /// The session, for those who change it while it plays.
    let session: LiveSession

    private let loudnessReading = LoudnessReading()
    private var server: SessionServer?
    private var midi: MIDIControl?
    private let controllers: JackControllers
    private let machine: MachineOutputs
    private var outputNames: [String]
    private let selection: OutputSelection
    /// What other threads have for the user.
    private let news = News()
    private let isChosenForUser: Bool
    private var schedule: ArraySlice<(frame: FrameTime, entry: ScriptEntry)>
    private let plan: Plan
    private let meter: LoudnessMeter?
    private let tap = TapBuffer(frames: 1 << 16)
    private var tapFrame: Int64 = 0
    private var heard = HeardEvents()
    private var deferred: [(frame: FrameTime, entry: ScriptEntry)] = []
    private var viewEvents: [EngineEvent] = []
    private var hasJumped = false
    private var hasPlayedItem = false
    /// Whether the list has come to its end and nothing of it was played.
    private var hasEndedUnheard = false
    private var steps = 0
    private var shouldEnd = false

    /// How far ahead a playlist is written for outputs that take audio long before it is heard, in seconds.
    private static let longFormAhead = 30.0
    /// How often what has happened is taken from the engine and told.
    private static let stepSeconds = 0.015
    /// A view is drawn once in so many steps.
    private static let stepsPerView = 2
    private var toldProblems: Set<String> = []
    private var toldRecordings = 0
    /// What the user should know of what was done before there was a view.
    private let unsaid: [String]

    init(_ plan: Plan, selection: OutputSelection) async throws {
        let device = try selection.open()
        isChosenForUser = selection.backend == nil
        self.selection = selection
        // A device that is lost is waited for: another backend would take the sound elsewhere.
        let reopened = selection.fixed(to: device.format.backend)
        var bar = ProgressBar("Opening stems")
        defer { bar.end() }
        player = try await SessionPlayer(plan.document, path: plan.path, policy: .lenient) { configuration in
            configuration.sampleRate = device.format.sampleRate
            configuration.tapFrames = 1 << 17
            // Off it is there too: it can be turned on without a gap.
            configuration.limiter = plan.document.limiter
            if plan.isEditable { configuration.reserveForEditing() }
        } progress: {
            bar.show($0)
        }
        bar.end()
        session = LiveSession(player, isDemo: plan.isDemo, demo: DemoSession.cached)
        for entry in plan.script.entries {
            try player.check(entry.action, source: plan.script.path, key: "line \(entry.line)")
        }
        self.plan = plan
        var script = plan.script
        script.entries += plan.entries(device.format.sampleRate)
        schedule = script.schedule(at: device.format.sampleRate)[...]
        meter = LoudnessMeter(sampleRate: device.format.sampleRate)
        if plan.record != nil { player.startRecording() }
        // What is due at the start is there before the first block asks for it.
        unsaid = LivePerformance.feed(
            &schedule, before: FrameTime(2 * Int64(device.format.sampleRate.hertz)), plan.script, player, &deferred)
        for action in plan.opening { try player.perform(action, source: plan.path, key: plan.openingKey) }
        if let restored = plan.restored { try player.playlist.restore(restored) }
        // Until here the stems are fed by hand, so that their start is there before the first block too.
        player.multitrack?.startFeeding()
        // An output that takes audio long before it is heard is given no reason to wait.
        if device.format.sendAhead > 0 { player.playlist.player.ahead = LivePerformance.longFormAhead }
        player.playlist.player.startFeeding()
        supervisor = try OutputSupervisor(
            device, engine: player.engine, busNames: plan.document.outputs, reopenWith: reopened.open)
        outputNames = plan.document.outputs
        controllers = JackControllers(supervisor)
        machine = MachineOutputs(supervisor, selection: reopened, controllers: controllers)
    }

    /// Plays until the duration is over, the user ends it or a signal comes; returns the exit status.
    func run(view: any LiveView) throws -> Int32 {
        Interruption.await()
        view.begin(self)
        defer { view.end() }
        let keeper = plan.store.map { PlaylistKeeper(player.playlist, $0, since: plan.restored) }
        let desktop = plan.store == nil ? nil : DesktopPlayer(player)
        let presence = desktop.flatMap { DesktopPresence($0) }
        for warning in player.warnings + unsaid { view.tell(warning) }
        if let link = server?.link { view.show(link: link) }
        if plan.isEditable, midi == nil { takeControllers { _ in } }
        if isChosenForUser, supervisor.format.backend == .null {
            view.tell(
                "no sound server or device was found: playing to the clock, which is not heard. Start JACK or"
                    + " PipeWire to hear it, which is joined then, or write a file with \"barline render\"")
            let (selection, news) = (selection, news)
            supervisor.improve(with: selection.openHeard) {
                selection.fixed(to: $0.backend).open
            } then: {
                news.add("playing to \($0.name) from now on")
            }
        }
        let log = try plan.events.map { path throws(SessionError) in try LineFile(path: path) }
        while !shouldEnd, Interruption.status == nil {
            try step(view, log)
            if isWorthKeeping { keeper?.step() }
            presence?.update()
            if hasJumped { presence?.announceJump() }
            hasJumped = false
            if desktop?.hasQuit == true { shouldEnd = true }
            Thread.sleep(forTimeInterval: LivePerformance.stepSeconds)
        }
        // What was done last is known by its frame before a recording ends.
        try step(view, log)
        viewEvents += heard.takeAll()
        if !viewEvents.isEmpty { view.update(self, events: viewEvents, state: player.engine.state) }
        if !player.document.limiter.isOn {
            for line in LevelText.losses(player.engine.state, outputs: player.outputs) { view.tell(line) }
        }
        do throws(SessionError) {
            try session.finish()
        } catch {
            view.tell("\(error)")
        }
        tellNews(view)
        if isWorthKeeping { keeper?.save() }
        midi?.stop()
        controllers.close()
        server?.stop()
        try player.engine.launcher.stopAllNow()
        player.multitrack?.pause()
        player.playlist.player.pause()
        Thread.sleep(forTimeInterval: 0.05)
        supervisor.stop()
        player.multitrack?.close()
        player.playlist.player.close()
        try finish(log)
        if let status = Interruption.status { return status }
        return hasEndedUnheard ? 1 : 0
    }

    /// A list of which nothing could be played is not put in the place of the one that is remembered.
    private var isWorthKeeping: Bool { plan.restored != nil || hasPlayedItem }

    private func step(_ view: any LiveView, _ log: LineFile?) throws {
        let state = player.engine.state
        let horizon = state.frame + Int64(2 * state.sampleRate.hertz)
        for message in LivePerformance.feed(&schedule, before: horizon, plan.script, player, &deferred) {
            view.tell(message)
        }
        performDeferred(view, state)
        takeAudio(state)
        tellNews(view)
        if player.outputs != outputNames {
            outputNames = player.outputs
            supervisor.setBusNames(outputNames)
        }
        let events = player.takeEvents()
        server?.publish(events)
        if let log {
            for event in events { if let line = player.eventLine(event) { try log.write(line) } }
        }
        heard.add(events)
        let latency = Int64(supervisor.format.latency * state.sampleRate.hertz)
        let told = heard.take(renderedTo: state.frame, latency: latency)
        viewEvents += told
        hasPlayedItem = hasPlayedItem || told.contains { if case .itemStarted = $0.kind { true } else { false } }
        hasJumped = hasJumped || told.contains { if case .itemSeeked = $0.kind { true } else { false } }
        steps += 1
        if steps % LivePerformance.stepsPerView == 0 || shouldEnd {
            view.update(self, events: viewEvents, state: state)
            viewEvents = []
        }
        for problem in player.stemProblems where toldProblems.insert(problem).inserted { view.tell(problem) }
        for problem in player.playlistProblems where toldProblems.insert(problem).inserted { view.tell(problem) }
        switch plan.end {
        case .stems: if told.contains(where: { $0.kind == .stemsEnded }) { shouldEnd = true }
        case .playlist:
            if told.contains(where: { $0.kind == .playlistEnded }) {
                shouldEnd = true
                hasEndedUnheard = !hasPlayedItem
                if hasEndedUnheard { view.tell("nothing in the list can be played") }
            }
        case nil: break
        }
        if let duration = plan.duration, state.sampleRate.seconds(frames: state.frame.rawValue) >= duration {
            shouldEnd = true
        }
    }

    /// Sends the actions that are due before `horizon`, and returns what the user should know.
    private static func feed(
        _ schedule: inout ArraySlice<(frame: FrameTime, entry: ScriptEntry)>, before horizon: FrameTime,
        _ script: PerformanceScript, _ player: SessionPlayer, _ deferred: inout [(frame: FrameTime, entry: ScriptEntry)]
    ) -> [String] {
        var messages: [String] = []
        while let next = schedule.first, next.frame < horizon {
            schedule.removeFirst()
            // What follows in a playlist is known only when the frame comes.
            if case .playlist = next.entry.action, next.frame > player.engine.playlist.state.frame {
                deferred.append(next)
                continue
            }
            do throws(SessionError) {
                let warning = try player.perform(
                    next.entry.action, at: next.frame, source: script.path, key: "line \(next.entry.line)")
                if let warning { messages.append(warning) }
            } catch {
                messages.append("\(error)")
            }
        }
        return messages
    }

    /// Performs what had to wait for its frame.
    private func performDeferred(_ view: any LiveView, _ state: EngineState) {
        while let next = deferred.first, next.frame <= state.frame {
            deferred.removeFirst()
            perform(next.entry.action, view)
        }
    }

    /// Tells what has happened beside the music.
    private func tellNews(_ view: any LiveView) {
        for line in news.takeAll() {
            view.tell(line)
            server?.notify(line)
        }
        let recordings = session.recordings
        for recording in recordings[toldRecordings...] { view.tell("recorded: \(recording.path)") }
        toldRecordings = recordings.count
    }

    /// Pieces of sound that are taken in one turn: more than the engine's tap holds where a clock paces the device.
    private static let piecesInTurn = 32

    /// Hands what was played to the loudness meter, to a recording, and to those who listen.
    private func takeAudio(_ state: EngineState) {
        // A device that no clock paces may give sound faster than it is measured: the rest has to wait for its turn.
        for _ in 0..<LivePerformance.piecesInTurn {
            let count = player.engine.readTap(left: tap.left, right: tap.right, frames: tap.frames)
            if count == 0 { break }
            meter?.add(left: tap.left, right: tap.right, frames: count)
            let left = Array(UnsafeBufferPointer(start: tap.left, count: count))
            let right = Array(UnsafeBufferPointer(start: tap.right, count: count))
            session.takeAudio(left: left, right: right, frame: FrameTime(tapFrame))
            server?.takeAudio(left: left, right: right, frame: tapFrame, sampleRate: state.sampleRate.hertz)
            tapFrame += Int64(count)
        }
        if let meter { loudnessReading.value = meter.shortTerm }
    }

    /// Serves the session from now on; returns the page's link, where the page is served.
    func serve(_ configuration: ServerConfiguration) throws(ServerError) -> String? {
        let (supervisor, loudness) = (supervisor, loudnessReading)
        let server = try SessionServer(session, configuration: configuration, outputs: machine) {
            let format = supervisor.format
            var facts = OutputFacts()
            facts.backend = format.backend.rawValue
            facts.name = format.name
            facts.latency = format.latency
            facts.status = supervisor.status == .running ? "running" : "lost"
            facts.xruns = supervisor.xrunCount
            facts.loudness = loudness.value
            return facts
        }
        self.server = server
        takeControllers { server.notify($0.words) }
        return server.link
    }

    /// Takes MIDI controllers in, whenever the output is a JACK server; what can't be done is told.
    private func takeControllers(_ refused: @escaping @Sendable (SessionError) -> Void) {
        let controllers = controllers
        let port = MIDIControl.Port(
            take: { controllers.take(near: $0).map { ($0.bytes, $0.frame) } }, send: { controllers.send($0) },
            joined: { controllers.joinCount })
        midi = MIDIControl(session, port: port, refused: refused)
    }

    private func finish(_ log: LineFile?) throws {
        for event in player.takeEvents() {
            if let line = player.eventLine(event) { try log?.write(line) }
        }
        try log?.finish()
        guard let record = plan.record else { return }
        let script = player.recordedScript
        try script.write(to: record, at: script.beginning?.sampleRate ?? player.engine.configuration.sampleRate)
    }

    // MARK: What a view asks for

    /// Performs an action now; what is wrong with it is told to the user.
    func perform(_ action: ScriptAction, at frame: FrameTime? = nil, _ view: any LiveView) {
        do throws(SessionError) {
            let warning = try player.perform(action, at: frame)
            if frame == nil { session.note(action) }
            if let warning { view.tell(warning) }
        } catch {
            view.tell("\(error)")
        }
    }

    /// Ends the performance.
    func end() { shouldEnd = true }
}

/// The main output's loudness, for any thread.
final class LoudnessReading: Sendable {
    private let bits = Atomic<UInt64>((-Double.infinity).bitPattern)

    var value: Double {
        get { Double(bitPattern: bits.load(ordering: .relaxed)) }
        set { bits.store(newValue.bitPattern, ordering: .relaxed) }
    }
}

/// Memory for what is read from the engine's tap.
final class TapBuffer {
    let left: UnsafeMutablePointer<Float>
    let right: UnsafeMutablePointer<Float>
    let frames: Int

    init(frames: Int) {
        self.frames = frames
        left = .allocate(capacity: frames)
        right = .allocate(capacity: frames)
    }

    deinit {
        left.deallocate()
        right.deallocate()
    }
}
