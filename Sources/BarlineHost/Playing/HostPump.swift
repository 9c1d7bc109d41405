import BarlineEngine
import BarlineOutputs
import BarlineSession
import BarlineTime
import Foundation

/// The host's periodic work: feeds the script, collects events and sound from the engine, and reports them.
///
/// It is used by one thread at a time: by the host's own, and when that has ended by whoever stops the host.
final class HostPump: @unchecked Sendable {
    private let plan: HostPlan
    private let session: LiveSession
    private let supervisor: OutputSupervisor
    private let observers: ObserverList
    private let ending: HostEnding
    private let tap: SoundTap
    private var feeder: ScriptFeeder
    private var audibleEvents = AudibleEvents()
    private var outputNames: [String]
    private var reportedProblems: Set<String> = []
    private var reportedRecordings = 0
    private var revision: Int
    private var hasPlayedItem = false
    private var latencies: LatencyWatch

    private var player: SessionPlayer { session.player }

    init(
        _ plan: HostPlan, session: LiveSession, supervisor: OutputSupervisor, feeder: ScriptFeeder,
        observers: ObserverList, ending: HostEnding, loudness: LoudnessReading
    ) {
        self.plan = plan
        self.session = session
        self.supervisor = supervisor
        self.feeder = feeder
        self.observers = observers
        self.ending = ending
        tap = SoundTap(session, loudness: loudness)
        outputNames = plan.document.outputs
        latencies = LatencyWatch(plan.library)
        revision = session.player.revision
    }

    /// Whether nothing can happen until somebody asks for something: then it is enough to look now and then.
    var isAtRest: Bool {
        player.engine.isAtRest && feeder.isDone && plan.duration == nil && session.recording == nil
            && !observers.needsSound
    }

    /// Runs one pass: collects and reports.
    func step() {
        let state = player.engine.state
        for message in feeder.feed(before: state.frame + Int64(2 * state.sampleRate.hertz), session) { notify(message) }
        for message in feeder.performDeferred(until: state.frame, session) { notify(message) }
        if player.outputs != outputNames {
            outputNames = player.outputs
            supervisor.setBusNames(outputNames)
        }
        player.hasInputs.store(supervisor.givesInputs, ordering: .relaxed)
        var report = HostReport(state)
        report.events = session.takeEvents()
        report.sound = tap.take(state, isWanted: observers.needsSound)
        audibleEvents.add(report.events)
        let latency = Int64(supervisor.format.latency * state.sampleRate.hertz)
        report.audibleEvents = audibleEvents.take(renderedTo: state.frame, latency: latency)
        report.outputs = supervisor.takeChanges()
        notify(of: report.outputs)
        reportShedding(report.events)
        reportProblems()
        reportRecordings()
        endWith(report.audibleEvents, state)
        let isRemeasured = latencies.hasChanged()
        if player.revision != revision || isRemeasured {
            supervisor.setInputs(player.deviceInputs(latencies.measured))
        }
        player.noteInputLatencies(supervisor.inputLatencies, at: state.sampleRate)
        if player.revision != revision {
            revision = player.revision
            report.document = player.document
        }
        observers.post(report, at: LiveSession.now)
    }

    /// Reports what was rendered and is not heard yet, and what a recording that has ended left: the output will be
    /// closed.
    func reportRemaining() {
        reportRecordings()
        var report = HostReport(player.engine.state)
        report.audibleEvents = audibleEvents.takeAll()
        observers.post(report, at: LiveSession.now)
    }

    /// Reports what was rendered while everything came to its end.
    func reportLast() {
        var report = HostReport(player.engine.state)
        report.events = session.takeEvents()
        report.outputs = supervisor.takeChanges()
        observers.post(report, at: LiveSession.now)
    }

    private func notify(_ message: String) { observers.notify(HostNotice(message, to: .user)) }

    private func reportProblems() {
        let problems = player.stemProblems + player.clipProblems + player.playlistProblems + player.clickProblems
        for problem in problems where reportedProblems.insert(problem).inserted { notify(problem) }
    }

    /// Pages are notified of a device that goes and comes back; whoever changes it knows.
    private func notify(of changes: [OutputChange]) {
        for change in changes {
            switch change.kind {
            case .lost:
                let text = "The output is gone. The beat goes on, and the output is joined as soon as it is back."
                observers.notify(HostNotice(text, to: .clients))
            case .recovered: observers.notify(HostNotice("The output is back: \(change.name).", to: .clients))
            case .changed: break
            }
        }
    }

    /// Pages are notified of stolen voices; terminals read the event.
    private func reportShedding(_ events: [EngineEvent]) {
        for event in events {
            guard case .voicesShed(let count) = event.kind else { continue }
            let what = count == 1 ? "a voice was" : "\(count) voices were"
            let text = "The machine is too slow: \(what) ended before the sound would break up."
            observers.notify(HostNotice(text, to: .clients))
        }
    }

    private func reportRecordings() {
        let recordings = session.recordings
        for recording in recordings[reportedRecordings...] { notify("recorded: \(recording.path)") }
        reportedRecordings = recordings.count
        for notice in session.takeNotices() {
            observers.notify(HostNotice(notice.text, to: .user))
            observers.notify(HostNotice(notice.words, to: .clients))
        }
    }

    private func endWith(_ events: [EngineEvent], _ state: EngineState) {
        hasPlayedItem =
            hasPlayedItem || events.contains { if case .playlist(.itemStarted) = $0.kind { true } else { false } }
        switch plan.end {
        case .stems: if events.contains(where: { $0.kind == .stems(.ended) }) { ending.request() }
        case .playlist:
            if events.contains(where: { $0.kind == .playlist(.ended) }), !ending.isWanted {
                if !hasPlayedItem { notify("nothing in the list can be played") }
                hasPlayedItem ? ending.request() : ending.requestWithoutPlaying()
            }
        case nil: break
        }
        if let duration = plan.duration, state.sampleRate.seconds(frames: state.frame.rawValue) >= duration {
            ending.request()
        }
    }
}
