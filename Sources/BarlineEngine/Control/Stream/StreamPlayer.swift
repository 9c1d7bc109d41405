import BarlineTime

/// A player of streamed audio: a ``Multitrack`` or a ``PlaylistPlayer``, which share their transport and their feeding.
///
/// Each is made with an engine and is to be kept as long as it is to be heard. Live it has threads that read ahead; offline
/// whoever renders feeds every player before each block:
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
/// What is asked for is done in the order in which it was asked for, each as soon as what it needs is in memory.
public protocol StreamPlayer: AnyObject, Sendable {
    /// Who reads the sources.
    typealias Feeding = StreamFeeding
    /// Called with the command that a request became.
    typealias Sent = @Sendable (CommandID) -> Void

    /// Plays from where it stands.
    func play(at moment: (any Moment)?, sent: @escaping Sent)
    /// Pauses: the position stays exactly where it is.
    func pause(at moment: (any Moment)?, sent: @escaping Sent)
    /// Stops, and goes back to the beginning of what it plays.
    func stop(at moment: (any Moment)?, sent: @escaping Sent)
    /// Moves to `seconds` of what it plays; also while playing.
    func seek(to seconds: Double, at moment: (any Moment)?, sent: @escaping Sent)

    /// Whether everything that was asked for has been passed on to the engine.
    var isSettled: Bool { get }

    /// Reads ahead and passes on what is ready. With ``StreamFeeding/manual`` only, before every block of at most
    /// ``framesPerFeed`` frames.
    ///
    /// - Complexity: O(*n*) in the frames that are read.
    func feed()
    /// The longest block that may follow one call of ``feed()``.
    var framesPerFeed: Int { get }
    /// Hands the feeding over to so many threads, for as long as the player lives.
    func startFeeding(threads count: Int)
    /// Ends the feeding, and cancels what is being read; to be called when the engine is not rendered any more.
    func close()
}

extension StreamPlayer {
    /// The places that can be asked for, in seconds.
    static var placeRange: ClosedRange<Double> { 0...1e7 }
}

extension ClosedRange<Double> {
    /// The number of the range that is nearest to `value`.
    func clamp(_ value: Double) -> Double { Swift.min(Swift.max(lowerBound, value), upperBound) }
}

/// Who reads the sources of a ``StreamPlayer``.
public enum StreamFeeding: Sendable {
    /// So many threads of its own: for playing live.
    case threads(Int)
    /// The caller, with ``StreamPlayer/feed()`` before every block: for rendering offline, where nothing may depend on time.
    /// ``StreamPlayer/startFeeding(threads:)`` ends that.
    case manual
}
