import Synchronization

/// The secrets that links to the page carry: one for those who play, one for those who only watch. Both can be made
/// replaced while the server runs, which locks out whoever has the old ones.
final class AccessKeys: Sendable {
    /// The rights of a connection.
    enum Right: Hashable, Sendable {
        case playing
        case watching
    }

    private struct Keys {
        var playing: String
        var watching: String
        /// Rises with every renewal.
        var generation = 0
    }

    private let keys: Mutex<Keys?>

    /// - Parameters:
    ///   - playing: that of those who play; `nil` where nobody needs one.
    ///   - watching: that of those who watch; `nil` for one that nobody guesses.
    init(playing: String?, watching: String?) {
        keys = Mutex(playing.map { Keys(playing: $0, watching: watching ?? ServerConfiguration.randomToken()) })
    }

    /// Whether requests must carry one.
    var areNeeded: Bool { keys.withLock { $0 != nil } }

    /// Changes with every renewal.
    var generation: Int { keys.withLock { $0?.generation ?? 0 } }

    /// What a text permits; `nil` for nothing.
    func right(of given: String) -> Right? {
        guard let keys = keys.withLock({ $0 }) else { return .playing }
        // Both are compared, in constant time.
        let (plays, watches) = (AccessKeys.isSame(given, keys.playing), AccessKeys.isSame(given, keys.watching))
        return plays ? .playing : watches ? .watching : nil
    }

    /// The keys as they are in links; `nil` where none are needed.
    var texts: (playing: String, watching: String)? { keys.withLock { $0.map { ($0.playing, $0.watching) } } }

    /// Replaces both.
    func renew() {
        keys.withLock { keys in
            guard let old = keys else { return }
            keys = Keys(
                playing: ServerConfiguration.randomToken(), watching: ServerConfiguration.randomToken(),
                generation: old.generation + 1)
        }
    }

    private static func isSame(_ given: String, _ wanted: String) -> Bool {
        let (left, right) = (Array(given.utf8), Array(wanted.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
