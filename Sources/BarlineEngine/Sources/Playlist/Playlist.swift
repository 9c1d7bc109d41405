import BarlineTime

/// What the playlist does, on the audio thread.
struct PlaylistState: BitwiseCopyable, @unchecked Sendable {
    /// Heads that can sound at once. Each but one is fading out.
    static var headCapacity: Int { @_noLocks get { 8 } }

    /// The head that plays, or −1.
    var current = -1
    /// The deck from which playing starts or goes on, or −1; and where.
    var heldDeck = -1
    var heldPosition: Int64 = 0
    /// Whether playing is to go on as soon as there is enough to play.
    var wantsToPlay = false
    /// Whether it has ended or was stopped, and stands at an item's beginning since.
    var isStopped = true
    /// Frames before this one may be played now.
    var visible: Int64 = 0
    /// The next mark of the deck that plays or is held.
    var mark = PlaylistMark.none

    /// The deck that takes over, or −1; where; and over how many frames.
    var nextDeck = -1
    var switchPosition = Int64.max
    var switchFade: Int64 = 0

    /// The item that is played, and where its first frame is.
    var item = PlaylistItemID(number: -1)
    var turn = -1
    var origin = 0.0
    /// Whether the item's start was told.
    var isStarted = false
    /// The position at which the time is told next.
    var tick = Int64.max
    var underruns: Int64 = 0

    @_noLocks init() {}

}
