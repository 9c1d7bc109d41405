import BarlineDSP
import BarlineTime
import Synchronization

/// The playlist, on the audio thread: it plays what a ``PlaylistPlayer`` writes ahead into decks, and reports the items.
struct Playlist: ~Copyable, Source, @unchecked Sendable {
    /// Heads that can sound at once. Each but one is fading out.
    private static let headCapacity = 8

    /// How far from where an item begins, between two frames perhaps, playing still begins with it.
    static var beginningFrames: Double { @_noLocks get { 0.75 } }

    // First, because ThreadSanitizer takes the first property for the address that is written to, and the compiler ends
    // where it is none (Swift 6.3.1); what it points to must be the audio thread's own.
    /// Where each head is.
    let readings: UnsafeMutablePointer<PlaylistReading>
    /// Where it is read.
    var heads: StreamHeads
    let decks: PlaylistDecks.Readers
    /// Whether the engine was made with one.
    let isEnabled: Bool
    /// The position from which the deck that is held is played.
    var heldPosition: Int64 = 0
    /// Whether playing is to go on as soon as there is enough to play.
    var wantsToPlay = false
    /// Whether it has ended or was stopped, and stands at an item's beginning since.
    var isStopped = true
    /// Frames before this one may be played now.
    var visible: Int64 = 0
    /// The next mark of the deck that plays or is held.
    var mark = PlaylistMark.none

    /// Where the deck that comes next takes over, and over how many frames.
    var switchPosition = Int64.max
    var switchFade: Int64 = 0

    /// The item that is played, and where its first frame is.
    var item = PlaylistItemID(number: -1)
    var turn = -1
    var origin = 0.0
    /// Whether the item's start was reported.
    var isStarted = false
    /// The position at which the time is reported next.
    var tick = Int64.max
    var underruns: Int64 = 0

    /// Where on the board it is.
    let place: BoardPlace<Snapshot>

    init(_ setup: inout SourceSetup) {
        place = setup.places.claim(Snapshot.self)
        isEnabled = setup.configuration.playlistSeconds > 0
        decks = setup.decks
        heads = StreamHeads(capacity: Playlist.headCapacity, decks: decks.owners)
        readings = .allocate(capacity: Playlist.headCapacity)
    }

    deinit {
        heads.deallocate()
        readings.deallocate()
    }

    @_noLocks mutating func answer(_ request: SourceRequest, _ context: inout RenderContext) -> Int {
        switch request {
        case .run(let phase): run(phase, &context)
        case .perform(.playlist(let action), at: let frame): perform(action, at: frame, &context)
        case .retime(let retiming): retime(retiming, &context)
        case .countFaults: return checkInvariants() ? 0 : 1
        // It has a clock of its own, and its decks are the engine's, which never go.
        case .perform, .holdsBeats, .isReading, .countSheddable, .shed: break
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

    /// Whether the head that plays does, and what is held or waits is a deck.
    @_noLocks func checkInvariants() -> Bool {
        if !heads.checkInvariants() || heads.nextDeck < 0 && switchPosition != .max { return false }
        return current >= 0 || tick == .max
    }
}
