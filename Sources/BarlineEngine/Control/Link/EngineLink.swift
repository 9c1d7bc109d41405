import BarlineDSP

/// The control side's ends of everything that it shares with the audio thread: the rings between them, and the board.
struct EngineLink: @unchecked Sendable {
    let commands: SPSCRing<Command>.Producer
    let events: SPSCRing<EngineEvent>.Consumer
    let retired: SPSCRing<UInt>.Consumer
    let tap: AudioRing.Consumer?
    let board: Board.Reader
    /// The layout of the board.
    let places: BoardPlaces
    let playlist: PlaylistDecks.Writers
    let counters: UnsafePointer<EngineCounters>
    /// The audio thread's ends.
    let renderer: RendererLink
    private let sources: PreparedSources
    private let shared: Shared
    private let busCount: Int

    /// The rings and the board, shared by both sides.
    private struct Shared: BitwiseCopyable {
        let commands: SPSCRing<Command>
        let events: SPSCRing<EngineEvent>
        let retired: SPSCRing<UInt>
        let tap: AudioRing?
        let decks: PlaylistDecks
        let board: Board
    }

    init(_ configuration: EngineConfiguration, clicks: UnsafePointer<ClickContent>) {
        let listFrames = configuration.playlistSeconds * configuration.sampleRate.hertz
        let decks = PlaylistDecks(minimumFrames: Int(listFrames) + PlaylistDecks.leastFrames)
        sources = PreparedSources(SourceSetup(configuration, contents: [clicks, decks.readers]))
        var places = sources.places
        let rendererPlaces = Renderer.Places(configuration, in: &places)
        let shared = Shared(
            commands: SPSCRing(minimumCapacity: configuration.commandCapacity),
            events: SPSCRing(minimumCapacity: configuration.eventCapacity),
            retired: SPSCRing(minimumCapacity: 2 * configuration.commandCapacity),
            tap: configuration.tapFrames > 0 ? AudioRing(minimumFrames: configuration.tapFrames) : nil,
            decks: decks, board: Board(places.size))
        let storage = UnsafeMutablePointer<EngineCounters>.allocate(capacity: 1)
        storage.initialize(to: EngineCounters())
        storage.pointee.outputRate.store(configuration.sampleRate.hertz.bitPattern, ordering: .relaxed)
        commands = shared.commands.producer
        events = shared.events.consumer
        retired = shared.retired.consumer
        tap = shared.tap?.consumer
        playlist = shared.decks.writers
        board = shared.board.reader
        self.places = places
        counters = UnsafePointer(storage)
        renderer = RendererLink(
            commands: shared.commands.consumer, places: rendererPlaces, sources: sources.list,
            sourceCount: sources.count, others: sources.others,
            context: ContextLink(
                events: shared.events.producer, retired: shared.retired.producer, tap: shared.tap?.producer,
                board: shared.board.writer, counters: UnsafePointer(storage), layout: configuration.channelLayout))
        self.shared = shared
        busCount = configuration.busCount
    }

    /// Whether the engine is idle as of the last publication: nothing plays, rings out or is pending, until something
    /// is sent.
    ///
    /// Meters take seconds to decay, so a moment of silence does not count as idle.
    var isAtRest: Bool {
        if counters.pointee.executed.load(ordering: .acquiring) != counters.pointee.sent.load(ordering: .acquiring) {
            return false
        }
        let isBusy =
            board.read(places[Renderer.Snapshot.self]).isBusy
            || board.read(places[Mixer.Snapshot.self]).areEffectsActive
        let buses = places[BusSnapshot.self]
        return !isBusy
            && (0..<busCount).allSatisfy { bus in
                let meter = board.read(buses, bus).meter
                return meter.peakLeft == 0 && meter.peakRight == 0
            }
    }

    /// Whether nothing plays, rings out or is pending as of the last publication, the metronome and the transport's
    /// rolling apart. A command whose moment has no frame does not count: nothing that is sent already brings it about.
    var isSilent: Bool {
        let sent = counters.pointee.sent.load(ordering: .acquiring)
        let board = snapshots
        let renderer = board[Renderer.Snapshot.self]
        return renderer.executed + renderer.stalled >= sent && !renderer.arePartsBusy
            && !board[Mixer.Snapshot.self].areEffectsActive
    }

    /// The snapshots of the last publication.
    var snapshots: BoardSnapshots { BoardSnapshots(copy: board.read(places.size), places: places) }

    /// Frees the memory shared by both sides.
    func deallocate() {
        shared.commands.deallocate()
        shared.events.deallocate()
        shared.retired.deallocate()
        shared.tap?.deallocate()
        shared.decks.deallocate()
        shared.board.deallocate()
        let storage = UnsafeMutablePointer(mutating: counters)
        storage.deinitialize(count: 1)
        storage.deallocate()
    }
}
