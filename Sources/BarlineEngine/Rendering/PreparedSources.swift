import CRealtime

/// The owner of the sources' memory, on the control side.
final class PreparedSources: @unchecked Sendable {
    /// The sources, contiguous, in the order in which they run.
    let list: UnsafeMutablePointer<AnySource>
    let count: Int
    /// How the context reaches them.
    let others: UnsafePointer<rt_request_handler>
    /// The board places that they publish to.
    let places: BoardPlaces
    private let releases: [() -> Void]

    init(_ setup: SourceSetup) {
        var maker = SourceMaker(setup)
        let sources = maker.makeAll()
        count = sources.count
        list = .allocate(capacity: count)
        list.initialize(from: sources, count: count)
        let handler = UnsafeMutablePointer<rt_request_handler>.allocate(capacity: 1)
        handler.initialize(to: RenderContext.othersHandler)
        others = UnsafePointer(handler)
        places = maker.setup.places
        releases = maker.releases
    }

    deinit {
        for release in releases { release() }
        list.deallocate()
        others.deallocate()
    }
}
