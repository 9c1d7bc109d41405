import BarlineSession
import Foundation
import Synchronization

/// Writes the script of a performance while it is played, so that a program that is killed leaves what was done up to
/// some seconds before.
///
/// The file is replaced as a whole each time. The longer that takes, the more rarely it is done.
final class ScriptKeeper: HostObserver {
    private let player: SessionPlayer
    private let path: String
    private let notify: @Sendable (HostNotice) -> Void
    private let state = Mutex(State())

    private struct State {
        var hasNews = false
        var next = -Double.infinity
        /// Whether it could not be written last.
        var hasFailed = false
    }

    /// The time in seconds from one writing to the next at least.
    static let interval = 5.0
    /// How many times longer than it took the next one is waited for.
    private static let restRatio = 100.0

    /// Creates a keeper, unless `path` is that of a device or a pipe, to which a script is written once.
    init?(path: String, player: SessionPlayer, notify: @escaping @Sendable (HostNotice) -> Void) {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return nil }
        self.path = path
        self.player = player
        self.notify = notify
    }

    var interest: HostInterest { HostInterest(positionInterval: 1) }

    func receive(_ report: HostReport) {
        let now = LiveSession.now
        let isDue = state.withLock { state in
            if !report.events.isEmpty || report.document != nil { state.hasNews = true }
            guard state.hasNews, now >= state.next else { return false }
            state.hasNews = false
            return true
        }
        guard isDue else { return }
        write()
        let end = LiveSession.now
        state.withLock { $0.next = end + max(ScriptKeeper.interval, ScriptKeeper.restRatio * (end - now)) }
    }

    /// Writes it; reported once for as long as that can't be done, which is tried again, at the end for the last time.
    private func write() {
        let result = Result { () throws(SessionError) in try player.writeRecordedScript(to: path) }
        let hadFailed = state.withLock { state in
            defer {
                if case .failure = result {
                    (state.hasFailed, state.hasNews) = (true, true)
                } else {
                    state.hasFailed = false
                }
            }
            return state.hasFailed
        }
        switch result {
        case .failure(let error):
            if hadFailed { return }
            notify(HostNotice("\(error): what is done is not on the disk; that is tried again", to: .user))
        case .success: if hadFailed { notify(HostNotice("\(path) is written again", to: .user)) }
        }
    }
}

extension SessionPlayer {
    /// Writes the script that was recorded so far.
    func writeRecordedScript(to path: String) throws(SessionError) {
        let script = recordedScript
        try script.write(to: path, at: script.beginning?.sampleRate ?? engine.configuration.sampleRate)
    }
}
