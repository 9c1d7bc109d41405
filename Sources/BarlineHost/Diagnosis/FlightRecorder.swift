import BarlineEngine
import BarlineOutputs
import BarlineSession
import Foundation
import Synchronization

/// Notes what is asked for and what happens, so that a crash leaves a log of what was before it.
package final class FlightRecorder: HostObserver {
    private let player: SessionPlayer
    private let log: FlightLog
    private let account: @Sendable () -> (load: OutputLoad?, xruns: Int64)
    /// When the account was kept last.
    private let kept = Mutex(-Double.infinity)

    /// Seconds between two accounts.
    private static let accountInterval = 1.0

    /// Begins to note what a session is asked for and what happens in it; `nil` where there is no place for a log.
    ///
    /// What was left by programs that have not come to their end is made a crash log.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - account: what is known of the output's blocks now.
    package init?(_ session: LiveSession, account: @escaping @Sendable () -> (load: OutputLoad?, xruns: Int64)) {
        self.account = account
        let folder = CrashLogs.folder(of: session.library)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("running-\(getpid())-\(UUID().uuidString.prefix(8)).log").path
        guard let log = FlightLog(path: path) else { return nil }
        self.log = log
        player = session.player
        log.note("barline \(Program.version), process \(getpid()), plays \(session.player.path)")
        session.watch { log.note($0) }
    }

    /// Lets the signals that a fault of the program raises be noted, besides what they do else. Once in a program.
    package func noteFaults() { FaultSignals.note(in: log) }

    /// Notes a line of another kind.
    package func note(_ line: String) { log.note(line) }

    /// Notes what has happened, and once a second what has become of the output's blocks.
    package func receive(_ report: HostReport) {
        let isDue = kept.withLock { kept in
            let now = LiveSession.now
            guard now >= kept + FlightRecorder.accountInterval else { return false }
            kept = now
            return true
        }
        if isDue {
            let (load, xruns) = account()
            log.keep(CallbackAccount(load: load, xruns: xruns).text)
        }
        for event in report.events {
            switch event.kind {
            // A tenth of a second later comes another one.
            case .playlist(.itemTime), .metronome(.pulse): break
            default: if let line = player.eventLine(event) { log.note("event \(line)") }
            }
        }
        for notice in report.notices { log.note("notice \(notice.text)") }
        if report.missed > 0 { log.note("missed \(report.missed)") }
    }

    /// The program ends as it should; to be called last.
    package func close() {
        FaultSignals.note(in: nil)
        log.remove()
    }
}

/// Signals that a fault of the program raises.
private enum FaultSignals {
    /// One more than the highest number of a signal.
    private static let signalCount = 65
    private static let numbers = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP]
    private nonisolated(unsafe) static var log: FlightLog?
    private nonisolated(unsafe) static var former: UnsafeMutablePointer<sigaction>?

    static func note(in log: FlightLog?) {
        self.log = log
        guard log != nil, former == nil else { return }
        let table = UnsafeMutablePointer<sigaction>.allocate(capacity: signalCount)
        table.initialize(repeating: sigaction(), count: signalCount)
        former = table
        for number in numbers {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                FaultSignals.log?.noteSignal(number)
                // The signal takes its default action as soon as this returns.
                if let former = FaultSignals.former { sigaction(number, former + Int(number), nil) }
                raise(number)
            }
            action.sa_flags = Int32(SA_ONSTACK)
            sigaction(number, &action, table + Int(number))
        }
    }
}
