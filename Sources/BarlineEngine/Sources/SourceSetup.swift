/// The arguments of a source's initialiser, on the control side.
struct SourceSetup {
    let configuration: EngineConfiguration
    /// Where on the board they publish: a source claims its places in it.
    var places = BoardPlaces()
    /// The sounds that the metronome begins with.
    let clicks: UnsafePointer<ClickContent>
    /// The decks from which the playlist is played.
    let decks: PlaylistDecks.Readers

    init(_ configuration: EngineConfiguration, clicks: UnsafePointer<ClickContent>, decks: PlaylistDecks.Readers) {
        self.configuration = configuration
        self.clicks = clicks
        self.decks = decks
    }
}

/// Makes sources, each in memory of its own, and remembers how they are freed.
struct SourceMaker {
    var setup: SourceSetup
    private(set) var releases: [() -> Void] = []

    init(_ setup: SourceSetup) { self.setup = setup }

    mutating func make<Kind: Source & ~Copyable>() -> UnsafeMutablePointer<Kind> {
        let source = UnsafeMutablePointer<Kind>.allocate(capacity: 1)
        source.initialize(to: Kind(&setup))
        releases.append {
            source.deinitialize(count: 1)
            source.deallocate()
        }
        return source
    }
}
