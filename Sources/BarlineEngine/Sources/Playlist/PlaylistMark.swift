import BarlineTime

/// A position in a playlist's stream at which an event is sent.
struct PlaylistMark: BitwiseCopyable {
    /// The kind of a mark.
    enum Kind: BitwiseCopyable {
        /// An item begins. If `isOverlapping`, the previous one continues for a while.
        case start(isOverlapping: Bool)
        /// An item ends.
        case end
        /// An item was skipped, because it can't be played.
        case skip
    }

    let kind: Kind
    /// The position, in frames of the playlist's stream.
    let position: Int64
    let item: PlaylistItemID
    /// The play number: counts all plays of all items.
    let playNumber: Int
    /// The position of the item's first frame: before `position` if the item is entered later.
    let origin: Double

    @_noLocks init(kind: Kind, position: Int64, item: PlaylistItemID, playNumber: Int, origin: Double) {
        self.kind = kind
        self.position = position
        self.item = item
        self.playNumber = playNumber
        self.origin = origin
    }

    /// Stands for no mark.
    static var none: PlaylistMark {
        @_noLocks get {
            PlaylistMark(kind: .end, position: .max, item: PlaylistItemID(number: -1), playNumber: -1, origin: 0)
        }
    }
}
