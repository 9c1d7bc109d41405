import BarlineEngine
import Foundation
import Synchronization

/// The queue of reports for one observer, and the thread on which it is called.
///
/// Whoever posts never waits: what does not fit is dropped, the oldest first, and counted.
final class ObserverQueue: Sendable {
    /// The phase of the host.
    private enum Phase { case playing, closing, closed, ending }

    private struct Waiting {
        var report: HostReport?
        /// Whether the observer is to be called, not only brought up to date.
        var isDue = false
        var phase = Phase.playing
    }

    /// Events, and notices, that may wait.
    static let eventLimit = 8192
    static let noticeLimit = 256
    /// Pieces of sound that may wait: some two seconds.
    static let soundLimit = 256

    private let observer: any HostObserver
    private let positionInterval: Double?
    private let waiting = Mutex(Waiting())
    private let lastPosition = Mutex(-Double.infinity)
    private let isWoken = DispatchSemaphore(value: 0)
    private let isReady = DispatchSemaphore(value: 0)
    private let worker = Worker("barline-observe")

    init(_ observer: any HostObserver) {
        self.observer = observer
        positionInterval = observer.interest.positionInterval
        worker.start { [self] in run() }
    }

    /// Whether the observer wants what sounds now.
    var needsSound: Bool { observer.interest.sound }

    /// Whether the observer has come to its end.
    var isDone: Bool { worker.isOver }

    /// Adds what has happened to what waits, and wakes the observer where it wants to know.
    func post(_ report: HostReport, at now: Double) {
        let isPositionDue = lastPosition.withLock { last in
            guard let interval = positionInterval, now - last >= interval else { return false }
            last = now
            return true
        }
        let needsSound = needsSound
        let mustWake = waiting.withLock { waiting in
            if waiting.report == nil { waiting.report = HostReport(report.state) }
            waiting.report?.add(report, withSound: needsSound)
            let isDue = isPositionDue || waiting.report?.hasContent == true
            defer { waiting.isDue = waiting.isDue || isDue }
            return isDue && !waiting.isDue
        }
        if mustWake { isWoken.signal() }
    }

    // MARK: Ending

    /// Lets the observer know that the output will be closed, after everything else was delivered.
    func announceClosing() { enter(.closing) }

    /// Waits until it knows.
    func awaitReady(until deadline: DispatchTime) { _ = isReady.wait(timeout: deadline) }

    /// Lets the observer end after everything else was delivered.
    func finish() { enter(.ending) }

    /// Waits until it has.
    func awaitEnd(until deadline: DispatchTime) { worker.awaitEnd(until: deadline) }

    private func enter(_ phase: Phase) {
        waiting.withLock { $0.phase = phase }
        isWoken.signal()
    }

    private func run() {
        while true {
            isWoken.wait()
            let (report, phase) = waiting.withLock { waiting in
                let report = waiting.isDue ? waiting.report : nil
                if waiting.isDue { waiting.report = nil }
                waiting.isDue = false
                let phase = waiting.phase
                if phase == .closing { waiting.phase = .closed }
                return (report, phase)
            }
            if let report { observer.receive(report) }
            switch phase {
            case .playing, .closed: break
            case .closing:
                observer.outputWillClose()
                isReady.signal()
            case .ending:
                observer.end()
                return
            }
        }
    }
}

extension HostReport {
    /// Adds what came after it.
    fileprivate mutating func add(_ next: HostReport, withSound: Bool) {
        state = next.state
        if let document = next.document { self.document = document }
        missed += HostReport.append(next.events, to: &events, limit: ObserverQueue.eventLimit)
        // The same events a little later: not counted twice.
        _ = HostReport.append(next.audibleEvents, to: &audibleEvents, limit: ObserverQueue.eventLimit)
        missed += HostReport.append(next.outputs, to: &outputs, limit: ObserverQueue.noticeLimit)
        missed += HostReport.append(next.notices, to: &notices, limit: ObserverQueue.noticeLimit)
        if withSound { _ = HostReport.append(next.sound, to: &sound, limit: ObserverQueue.soundLimit) }
    }

    /// Appends, drops the oldest beyond the limit, and says how many those were.
    private static func append<Element>(_ new: [Element], to list: inout [Element], limit: Int) -> Int {
        list += new
        guard list.count > limit else { return 0 }
        // Some more at once, so that dropping costs nothing.
        let count = min(list.count, list.count - limit + limit / 8)
        list.removeFirst(count)
        return count
    }
}
