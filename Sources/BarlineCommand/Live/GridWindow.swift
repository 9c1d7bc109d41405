/// The part of a grid that the screen has room for, and the place that keys have chosen.
///
/// It moves as little as it must to show what was chosen or has begun to play last.
struct GridWindow {
    /// A clip's place.
    struct Place: Hashable {
        var track: Int
        var row: Int
    }

    /// The place that arrows have chosen.
    private(set) var chosen: Place?
    /// What is shown in any case.
    private var focus: Place?
    private var active: Set<Place> = []
    /// What was shown last.
    private(set) var rows = 0..<0
    private(set) var tracks = 0..<0

    /// Moves the choice; the first move begins where something happened last.
    mutating func move(tracks: Int, rows: Int, trackCount: Int, rowCount: Int) {
        guard trackCount > 0, rowCount > 0 else { return }
        var place = focus ?? Place(track: self.tracks.lowerBound, row: self.rows.lowerBound)
        if chosen != nil {
            place.track += tracks
            place.row += rows
        }
        place.track = max(0, min(place.track, trackCount - 1))
        place.row = max(0, min(place.row, rowCount - 1))
        chosen = place
        focus = place
    }

    /// Chooses nothing any more.
    mutating func drop() { chosen = nil }

    /// Takes in which places play or wait to play.
    mutating func follow(_ now: Set<Place>) {
        let new = now.subtracting(active)
        active = now
        // A row that begins to play is seen where one of its clips is.
        let shown = new.filter(isShown)
        if let first = (shown.isEmpty ? new : shown).min(by: { ($0.row, $0.track) < ($1.row, $1.track) }) {
            focus = first
        }
    }

    /// Whether a place is on the screen.
    func isShown(_ place: Place) -> Bool { rows.contains(place.row) && tracks.contains(place.track) }

    /// Makes room for so many of all the rows and tracks.
    mutating func fit(rows rowRoom: Int, of rowCount: Int, tracks trackRoom: Int, of trackCount: Int) {
        rows = GridWindow.range(from: rows.lowerBound, room: rowRoom, count: rowCount, with: focus?.row)
        tracks = GridWindow.range(from: tracks.lowerBound, room: trackRoom, count: trackCount, with: focus?.track)
    }

    private static func range(from start: Int, room: Int, count: Int, with place: Int?) -> Range<Int> {
        let room = max(0, min(room, count))
        var start = start
        if let place { start = min(max(start, place - room + 1), place) }
        start = max(0, min(start, count - room))
        return start..<(start + room)
    }
}
