/// The arguments of a source's initialiser, on the control side.
struct SourceSetup {
    let configuration: EngineConfiguration
    /// The layout of the board: each source claims its places in it.
    var places = BoardPlaces()
    /// The initial sounds of the metronome.
    let clicks: UnsafePointer<ClickContent>
    /// The decks that the playlist reads.
    let decks: PlaylistDecks.Readers

    init(_ configuration: EngineConfiguration, clicks: UnsafePointer<ClickContent>, decks: PlaylistDecks.Readers) {
        self.configuration = configuration
        self.clicks = clicks
        self.decks = decks
    }
}

/// Creates sources, each in its own memory, and records how to free them.
struct SourceMaker {
    var setup: SourceSetup
    private(set) var releases: [() -> Void] = []

    init(_ setup: SourceSetup) { self.setup = setup }

    /// Creates all sources, in the order in which they run.
    mutating func makeAll() -> [AnySource] { AnySource.kinds.map { make($0) } }

    private mutating func make<Kind: Source & ~Copyable>(_ kind: Kind.Type) -> AnySource {
        let source = UnsafeMutablePointer<Kind>.allocate(capacity: 1)
        source.initialize(to: Kind(&setup))
        releases.append {
            source.deinitialize(count: 1)
            source.deallocate()
        }
        return Kind.erased(source)
    }
}
