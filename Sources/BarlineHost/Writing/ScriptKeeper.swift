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
    private let state = Mutex(State())

    private struct State {
        var hasNews = false
        var next = -Double.infinity
    }

    /// The time in seconds from one writing to the next at least.
    static let interval = 5.0
    /// How many times longer than it took the next one is waited for.
    private static let restRatio = 100.0

    /// Creates a keeper, unless `path` is that of a device or a pipe, to which a script is written once.
    init?(path: String, player: SessionPlayer) {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return nil }
        self.path = path
        self.player = player
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
        // What can't be written now is written, or its reason said, at the end.
        try? player.writeRecordedScript(to: path)
        let end = LiveSession.now
        state.withLock { $0.next = end + max(ScriptKeeper.interval, ScriptKeeper.restRatio * (end - now)) }
    }
}

extension SessionPlayer {
    /// Writes the script that was recorded so far.
    func writeRecordedScript(to path: String) throws(SessionError) {
        let script = recordedScript
        try script.write(to: path, at: script.beginning?.sampleRate ?? engine.configuration.sampleRate)
    }
}
