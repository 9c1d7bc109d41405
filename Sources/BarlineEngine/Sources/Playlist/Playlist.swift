import BarlineDSP
import BarlineTime
import Synchronization

/// The playlist, on the audio thread: it plays decks prefetched by a ``PlaylistPlayer``, and reports the items.
struct Playlist: ~Copyable, Source, @unchecked Sendable {
    /// The number of heads that can sound at once. All but one are fading out.
    private static let headCapacity = 8

    /// The distance from an item's beginning (possibly between two frames) within which playback still starts with it,
    /// in frames.
    static var beginningFrames: Double { @_noLocks get { 0.75 } }
    /// The level above which an item's first frame is heard as a click, where it follows another sound: −60 dB.
    static var audibleLevel: Float { @_noLocks get { 0.001 } }

    // First, because ThreadSanitizer takes the first property as the address written to, and the compiler crashes if it
    // is not a pointer (Swift 6.3.1); what it points to must belong to the audio thread.
    /// The position of each head.
    let readings: UnsafeMutablePointer<PlaylistReading>
    /// The heads.
    var heads: StreamHeads
    let decks: PlaylistDecks.Readers
    /// Whether the engine was created with a playlist.
    let isEnabled: Bool
    /// The position from which the held deck plays.
    var heldPosition: Int64 = 0
    /// Whether to start playing as soon as enough audio is available.
    var wantsToPlay = false
    /// The frame on which the head that plays began, if by a start or to play on.
    var begun = FrameTime(.min)
    /// How many frames there were of the item that was left last.
    var leftFrames: Int64 = 0
    /// The start that plays or is held; that of nothing after a stop.
    var started = StartNumber()
    /// The latest start that was due.
    var lastStart = 0
    /// The latest start of each deck that was due or cancelled.
    let settledStarts: UnsafeMutablePointer<Int>
    /// How often it was paused or played on: what was counted before is not where it is then.
    var pauseCount: Int64 = 0
    /// Whether it has ended or was stopped, and has been at an item's beginning since.
    var isStopped = true
    /// Frames before this one may be played now.
    var visible: Int64 = 0
    /// The next mark of the deck that plays or is held.
    var mark = PlaylistMark.none

    /// The position at which the next deck takes over, and the length of the fade.
    var switchPosition = Int64.max
    var switchFade: Int64 = 0

    /// The item that plays, and the position of its first frame.
    var item = PlaylistItemID(number: -1)
    var playNumber = -1
    var origin = 0.0
    /// Whether the item's start was reported.
    var isStarted = false
    /// The item that fades out under the one that plays, and its play number; −1 where none does.
    var outgoing = PlaylistItemID(number: -1)
    var outgoingPlayNumber = -1
    /// The position of the next position report.
    var tick = Int64.max
    var underruns: Int64 = 0
    /// Counts how often the list has come to its end.
    var endCount: Int64 = 0
    /// The deck with which it did so last, or −1.
    var endedDeck = -1

    /// Its channel of the mixer.
    let channel: Int
    /// The board place of its snapshot.
    let place: BoardPlace<Snapshot>

    init(_ setup: inout SourceSetup) {
        channel = setup.channel
        place = setup.places.claim(Snapshot.self)
        isEnabled = setup.configuration.playlistSeconds > 0
        decks = setup.content(PlaylistDecks.Readers.self)
        heads = StreamHeads(capacity: Playlist.headCapacity, decks: decks.owners)
        readings = .allocate(capacity: Playlist.headCapacity)
        settledStarts = .allocate(capacity: PlaylistDecks.count)
        settledStarts.initialize(repeating: 0, count: PlaylistDecks.count)
    }

    deinit {
        heads.deallocate()
        readings.deallocate()
        settledStarts.deallocate()
    }

    static var strip: Channel? { .playlist }

    @_noLocks mutating func answer(_ request: SourceRequest, _ context: inout RenderContext) -> Int {
        switch request {
        case .run(let phase): run(phase, &context)
        case .retime(let retiming): retime(retiming, &context)
        case .countFaults: return checkInvariants() ? 0 : 1
        // It has a clock of its own, and its decks belong to the engine and are never retired.
        case .holdsBeats, .isReading, .countSheddable, .shed: break
        }
        return 0
    }

    @_noLocks private mutating func run(_ phase: Phase, _ context: inout RenderContext) {
        switch phase {
        case .publish: publish(&context)
        case .streams: if isEnabled { handleDue(&context) }
        case .wake: if isEnabled { context.wake(at: nextDueFrame()) }
        case .fill(let slice): if isEnabled { fill(slice, &context) }
        case .ends, .boundaries, .wraps, .leadIns, .clicks, .pass: break
        }
    }

    /// The head that plays, or −1.
    var current: Int { @_noLocks get { heads.current } }

    /// Whether the invariants hold: the current head plays, and the held and the next deck are valid.
    @_noLocks func checkInvariants() -> Bool {
        if !heads.checkInvariants() || heads.nextDeck < 0 && switchPosition != .max { return false }
        return current >= 0 || tick == .max
    }
}
