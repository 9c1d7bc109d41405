import Foundation
import Synchronization

/// The observers of a host.
final class ObserverList: Sendable {
    private struct Table {
        var queues: [ObserverQueue] = []
        /// What nobody has seen yet.
        var pending: [HostNotice] = []
        /// What was noticed since the last report.
        var notices: [HostNotice] = []
    }

    private let table = Mutex(Table())

    func add(_ observer: any HostObserver) {
        let queue = ObserverQueue(observer)
        table.withLock { $0.queues.append(queue) }
    }

    /// Keeps a notice for the next report.
    func notify(_ notice: HostNotice) {
        table.withLock { table in
            if table.notices.count < ObserverQueue.noticeLimit { table.notices.append(notice) }
        }
    }

    /// Notifies everybody; a notice that comes before the first observer waits for it.
    func post(_ report: HostReport, at now: Double) {
        let (queues, notices) = table.withLock { table in
            if table.queues.isEmpty { return ([ObserverQueue](), [HostNotice]()) }
            defer { table.notices = [] }
            return (table.queues, table.notices)
        }
        var report = report
        report.notices = notices
        for queue in queues { queue.post(report, at: now) }
    }

    /// Whether somebody wants what sounds now.
    var needsSound: Bool { table.withLock { $0.queues }.contains(where: \.needsSound) }

    /// Whether all have ended.
    var areDone: Bool { table.withLock { $0.queues }.allSatisfy(\.isDone) }

    func announceClosing(within seconds: Double) {
        let queues = table.withLock { $0.queues }
        for queue in queues { queue.announceClosing() }
        let deadline = DispatchTime.now() + seconds
        for queue in queues { queue.awaitReady(until: deadline) }
    }

    func end(within seconds: Double) {
        let queues = table.withLock { $0.queues }
        for queue in queues { queue.finish() }
        let deadline = DispatchTime.now() + seconds
        for queue in queues { queue.awaitEnd(until: deadline) }
    }
}
