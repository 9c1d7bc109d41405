import BarlineTime

/// A place of a playlist's sound at which an event is sent.
struct PlaylistMark: BitwiseCopyable {
    /// The kind of a mark.
    enum Kind: BitwiseCopyable {
        /// An item begins. Where `isOverlapping`, the one before goes on for a while.
        case start(isOverlapping: Bool)
        /// An item ends.
        case end
        /// An item was left out, for it has nothing to play.
        case skip
    }

    let kind: Kind
    /// Where, in frames of the playlist's sound.
    let position: Int64
    let item: PlaylistItemID
    /// The number of this playing of the item, among all playings.
    let turn: Int
    /// Where the item's first frame is, or would be: before `position` where it is entered later.
    let origin: Double

    @_noLocks init(kind: Kind, position: Int64, item: PlaylistItemID, turn: Int, origin: Double) {
        self.kind = kind
        self.position = position
        self.item = item
        self.turn = turn
        self.origin = origin
    }

    /// Stands for no mark.
    static var none: PlaylistMark {
        @_noLocks get {
            PlaylistMark(kind: .end, position: .max, item: PlaylistItemID(number: -1), turn: -1, origin: 0)
        }
    }
}
