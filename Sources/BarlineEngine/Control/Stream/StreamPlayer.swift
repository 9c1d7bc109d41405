import BarlineTime

/// A player of streamed audio: a ``Multitrack`` or a ``PlaylistPlayer``, which share their transport and their feeding.
///
/// Each is created with an engine and must be kept as long as it plays. Live it has threads that read ahead; offline
/// the caller feeds every player before each block:
///
/// ```swift
/// let players: [any StreamPlayer] = [stems, playlist]
/// while frames > 0 {
///     for player in players { player.feed() }
///     let count = players.reduce(frames) { min($0, $1.framesPerFeed) }
///     render(count)
///     frames -= count
/// }
/// ```
///
/// Requests are served in order, each as soon as the data it needs is in memory.
public protocol StreamPlayer: AnyObject, Sendable {
    /// Who reads the sources.
    typealias Feeding = StreamFeeding
    /// Called with the command that a request became.
    typealias Sent = @Sendable (CommandID) -> Void

    /// Plays from the current position.
    func play(at moment: (any Moment)?, sent: @escaping Sent)
    /// Pauses: the position stays exactly the same.
    func pause(at moment: (any Moment)?, sent: @escaping Sent)
    /// Stops, and returns to the beginning.
    func stop(at moment: (any Moment)?, sent: @escaping Sent)
    /// Seeks to `seconds`; also while playing.
    func seek(to seconds: Double, at moment: (any Moment)?, sent: @escaping Sent)

    /// Whether all requests have been forwarded to the engine.
    var isSettled: Bool { get }

    /// Reads ahead and forwards requests that are ready. With ``StreamFeeding/manual`` only, before every block of at
    /// most ``framesPerFeed`` frames.
    ///
    /// - Complexity: O(*n*) in the frames that are read.
    func feed()
    /// The longest block that may follow one call of ``feed()``.
    var framesPerFeed: Int { get }
    /// Hands the feeding over to `count` threads, for as long as the player lives.
    func startFeeding(threads count: Int)
    /// Ends the feeding, and cancels reads in progress; to be called when the engine is not rendered any more.
    func close()
}

extension StreamPlayer {
    /// The range of positions that can be requested, in seconds.
    static var placeRange: ClosedRange<Double> { 0...1e7 }
}

/// The threads that read the sources of a ``StreamPlayer``.
public enum StreamFeeding: Sendable {
    /// The given number of threads of its own: for playing live.
    case threads(Int)
    /// The caller, with ``StreamPlayer/feed()`` before every block: for rendering offline, where nothing may depend on
    /// time. ``StreamPlayer/startFeeding(threads:)`` ends that.
    case manual
}
