import BarlineEngine
import BarlineOutputs
import BarlineSession
import Foundation
import Synchronization

/// A file of what happens, one JSON object a line.
///
/// A disk that is full or slow never stops playing: lines that can't be written are queued, up to a bound, and
/// retried; those that are dropped are counted, and reported at the end.
package final class EventLog: HostObserver, @unchecked Sendable {
    private struct Outcome {
        var lost = 0
        var problem: SessionError?
        var isFinished = false
    }

    private let player: SessionPlayer
    private let path: String
    // Confined to the observer's thread, which may block on the disk.
    private let file: LineFile
    private var isReported = false
    private let outcome = Mutex(Outcome())
    private let warn: @Sendable (String) -> Void

    /// Bytes that may wait for the disk.
    private static let waitingLimit = 1 << 20

    /// Begins a file; an existing one is replaced when this one is finished. A device or a named pipe is written to as
    /// it is.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - player: what plays.
    ///   - warn: is called once when something can't be written.
    /// - Throws: `SessionError` where the file can't be made.
    package init(
        path: String, player: SessionPlayer, warn: @escaping @Sendable (String) -> Void
    ) throws(SessionError) {
        self.player = player
        self.path = path
        self.warn = warn
        file = try LineFile(path: path)
    }

    /// Writes the events that were rendered.
    package func receive(_ report: HostReport) {
        var lost = report.missed
        var problem: SessionError?
        for line in report.events.compactMap(player.eventLine) + report.outputs.map(\.json.line) {
            guard file.waitingBytes < EventLog.waitingLimit else {
                lost += 1
                continue
            }
            do throws(SessionError) {
                try file.write(line)
            } catch {
                problem = error
            }
        }
        outcome.withLock { outcome in
            outcome.lost += lost
            outcome.problem = problem ?? outcome.problem
        }
        guard let problem, !isReported else { return }
        isReported = true
        warn("\(problem); playing goes on, and it is tried again")
    }

    /// Completes the file.
    package func end() {
        var problem: SessionError?
        var lost = 0
        do throws(SessionError) {
            try file.finish()
        } catch {
            problem = error
            lost = file.abandon()
        }
        outcome.withLock { outcome in
            outcome.problem = problem
            outcome.lost += lost
            outcome.isFinished = true
        }
    }

    /// Why the file is not whole; `nil` where it is. To be asked when the host has stopped.
    package var problem: SessionError? {
        let outcome = outcome.withLock { $0 }
        if !outcome.isFinished { return .file(path: path, reason: "can't be written: nothing takes what is written") }
        if outcome.lost == 0 { return outcome.problem }
        var reason = "\(outcome.lost) events are missing"
        if case .file(_, let cause)? = outcome.problem { reason = "\(cause); \(reason)" }
        return .file(path: path, reason: reason)
    }
}
