import BarlineTime

/// One playing of an item, as it lies in a deck.
struct PlaylistSegment {
    let item: PlaylistItemID
    /// Which of the item's contents is meant: an item that is replaced has another one.
    let revision: Int
    let turn: Int
    /// Where it begins in the playlist's sound; `.max` as long as nothing of it was read.
    var position = Int64.max
    /// Where its source turned out to end; `nil` as long as that was not reached.
    var end: Int64?
    /// Where its source's first frame is, or would be.
    var origin = 0.0
    /// The serializer before it was opened, where an edit can go on; `nil` for the first segment of a deck.
    var before: PlaylistSerializer.State?

    init(_ planned: PlannedItem, turn: Int) {
        item = planned.item.id
        revision = planned.revision
        self.turn = turn
    }

    func matches(_ planned: PlannedItem) -> Bool { item == planned.item.id && revision == planned.revision }
}

/// An item that is to be played.
struct PlannedItem {
    let item: PlaylistItem
    let revision: Int
}

/// The settings of a playlist's sound: crossfade and gain.
struct PlaylistSettings: Hashable {
    /// The length of crossfades in seconds; 0 for none.
    var crossfade = 0.0
    /// Counts changes of items' gains.
    var gains = 0
}
