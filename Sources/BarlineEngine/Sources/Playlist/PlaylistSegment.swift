import BarlineDSP
import BarlineTime

/// One play of an item, as it lies in a deck.
struct PlaylistSegment {
    let item: PlaylistItemID
    /// The revision of the item's content: replacing an item changes it.
    let revision: Int
    let playNumber: Int
    /// The length of its item in seconds, as far as it is known.
    let duration: Double?
    /// How many times longer it is, in the version that plays, than its item was at first.
    let length: Double
    /// The position at which it begins in the playlist's stream; `.max` until some of it was read.
    var position = Int64.max
    /// The position at which its source ended; `nil` until that was reached.
    var end: Int64?
    /// The position of its source's first frame, even if it is entered later.
    var origin = 0.0
    /// The serializer's state before it was opened, from which an edit can continue; `nil` for the first segment of a
    /// deck.
    var before: PlaylistSerializer.State?

    init(_ planned: PlannedItem, playNumber: Int) {
        item = planned.item.id
        revision = planned.revision
        self.playNumber = playNumber
        duration = planned.item.duration
        length = planned.length
    }

    func matches(_ planned: PlannedItem) -> Bool { item == planned.item.id && revision == planned.revision }
}

/// An item that is planned to play. It is shared: a list has many, and a table of them has room for more than there
/// are.
final class PlannedItem: Sendable {
    let item: PlaylistItem
    let revision: Int
    /// How many times longer it is in this version than in the first.
    let length: Double

    init(item: PlaylistItem, revision: Int, length: Double) {
        self.item = item
        self.revision = revision
        self.length = length
    }
}

/// The settings of a playlist's rendering.
struct PlaylistSettings: Hashable {
    /// The length of crossfades in seconds; 0 for none.
    var crossfade = 0.0
    /// How true items are whose sample rate is not the output's.
    var quality = VarispeedQuality.live
}
