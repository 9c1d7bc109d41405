import BarlineDSP

/// The layout of the ``Board``: each part claims a place, or a row of them, for the type of its snapshot, and readers
/// find it by that type.
struct BoardPlaces: Sendable {
    private var rows: [ObjectIdentifier: Row] = [:]
    /// The size of all places together.
    private(set) var size = BoardSize()

    /// A row of places of one type of snapshot.
    private struct Row {
        let place: any Sendable
        let count: Int
    }

    /// Claims a place, or a row of `count`, for a type of snapshot that nothing else publishes.
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

    /// The number of places claimed for a type of snapshot.
    func count<Snapshot: BitwiseCopyable>(of snapshot: Snapshot.Type) -> Int {
        rows[ObjectIdentifier(snapshot)]?.count ?? 0
    }
}

/// A consistent copy of all snapshots on the board.
struct BoardSnapshots: Sendable {
    let copy: BoardCopy
    let places: BoardPlaces

    /// The snapshot of the given type.
    subscript<Snapshot: BitwiseCopyable>(_ snapshot: Snapshot.Type) -> Snapshot { copy[places[snapshot]] }

    /// The snapshot at an index in the row of the given type.
    subscript<Snapshot: BitwiseCopyable>(_ snapshot: Snapshot.Type, index: Int) -> Snapshot {
        copy[places[snapshot], index]
    }

    /// The snapshots of the given type, in the order of their row.
    func row<Snapshot: BitwiseCopyable>(_ snapshot: Snapshot.Type) -> [Snapshot] {
        let place = places[snapshot]
        return (0..<places.count(of: snapshot)).map { copy[place, $0] }
    }
}
