import BarlineDSP

/// The layout of the ``Board``: a part claims a place, or a row of them, by the type of its snapshot, and readers
/// find it by that.
struct BoardPlaces: Sendable {
    private var rows: [ObjectIdentifier: Row] = [:]
    /// The room that all of them take.
    private(set) var size = BoardSize()

    /// A row of places of one type of snapshot.
    private struct Row {
        let place: any Sendable
        let count: Int
    }

    /// Makes room for a snapshot, or for a row of `count`, of a type that nothing else publishes.
    mutating func claim<Snapshot: BitwiseCopyable>(
        _ snapshot: Snapshot.Type, count: Int = 1
    ) -> BoardPlace<Snapshot> {
        precondition(rows[ObjectIdentifier(snapshot)] == nil, "a type of snapshot has one place")
        let place = BoardPlace<Snapshot>(in: &size, count: count)
        rows[ObjectIdentifier(snapshot)] = Row(place: place, count: count)
        return place
    }

    /// The place that was claimed for a type of snapshot.
    subscript<Snapshot: BitwiseCopyable>(_ snapshot: Snapshot.Type) -> BoardPlace<Snapshot> {
        guard let place = rows[ObjectIdentifier(snapshot)]?.place as? BoardPlace<Snapshot> else {
            preconditionFailure("only what was claimed is read")
        }
        return place
    }

    /// How many snapshots of a type there are.
    func count<Snapshot: BitwiseCopyable>(of snapshot: Snapshot.Type) -> Int {
        rows[ObjectIdentifier(snapshot)]?.count ?? 0
    }
}

/// A consistent copy of all snapshots on the board.
struct BoardSnapshots: Sendable {
    let copy: BoardCopy
    let places: BoardPlaces

    /// The snapshot of a type.
    subscript<Snapshot: BitwiseCopyable>(_ snapshot: Snapshot.Type) -> Snapshot { copy[places[snapshot]] }

    /// The snapshots of a type, in the order of their row.
    func row<Snapshot: BitwiseCopyable>(_ snapshot: Snapshot.Type) -> [Snapshot] {
        let place = places[snapshot]
        return (0..<places.count(of: snapshot)).map { copy[place, $0] }
    }
}
