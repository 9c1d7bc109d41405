/// Owns the sources' memory, on the control side.
final class PreparedSources: @unchecked Sendable {
    /// The sources, one after the other, in the order in which they run.
    let list: UnsafeMutablePointer<AnySource>
    let count: Int
    /// Where on the board they publish.
    let places: BoardPlaces
    private let releases: [() -> Void]

    init(_ setup: SourceSetup) {
        var maker = SourceMaker(setup)
        let sources = maker.makeAll()
        count = sources.count
        list = .allocate(capacity: count)
        list.initialize(from: sources, count: count)
        places = maker.setup.places
        releases = maker.releases
    }

    deinit {
        for release in releases { release() }
        list.deallocate()
    }
}
