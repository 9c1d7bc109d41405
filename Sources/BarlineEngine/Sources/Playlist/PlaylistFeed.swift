import BarlineDSP
import BarlineTime
import Synchronization

/// Fills one deck. Its segments may be looked at by any thread; only one at a time makes it read on.
final class PlaylistFeed: StreamFeed, @unchecked Sendable {
    /// The purpose of a deck: how the audio thread comes to read it.
    enum Purpose {
        /// It leaves what plays for it.
        case start
        /// It changes over at the deck's first frame, over so many frames.
        case change(fade: Int64)
    }

    let deck: Int
    let purpose: Purpose
    let outputRate: SampleRate
    let settings: PlaylistSettings
    /// Where the deck begins in the playlist's sound.
    let position: Int64

    private let writer: PlaylistDeck.Writer
    private let serializer: PlaylistSerializer
    private let record: ControlLock<Record>
    let turn = ReadingTurn()
    private let plan: Plan
    private let isStuck = Atomic<Bool>(false)

    /// The record of what was read, for the player.
    struct Record {
        var segments: [PlaylistSegment] = []
        /// The segment that is open.
        var isOpen = false
        /// The serializer after the last item.
        var after: PlaylistSerializer.State?
        var skipped = 0
    }

    /// The first item's entry.
    struct Entry {
        var frame: Int64 = 0
        var phase = SourcePosition(rawValue: 0)
        var origin: Double?
    }

    /// The player's answer to a feed that has reached the end of an item.
    enum Next {
        case item(PlannedItem, turn: Int)
        /// The list ends here.
        case end
        /// That is not decided.
        case undecided
    }

    /// The player as a feed sees it.
    struct Plan: Sendable {
        /// The item for the segment of a number, with its turn.
        let next: @Sendable (PlaylistFeed) -> Next
        /// Is called with the item that could not be read, and why.
        let failed: @Sendable (PlaylistItemID, String) -> Void
    }

    private var entry: Entry?

    /// Takes a deck that is being cued: what has been decided before is `state`, in which `segments` lie, and the first
    /// item that is opened is entered at `entry`, or at its start where that is `nil`.
    init(
        deck: Int, of decks: PlaylistDecks.Writers, purpose: Purpose, state: PlaylistSerializer.State,
        segments: [PlaylistSegment], entry: Entry?, outputRate: SampleRate, settings: PlaylistSettings, plan: Plan
    ) {
        self.deck = deck
        writer = decks[deck]
        self.purpose = purpose
        self.outputRate = outputRate
        self.settings = settings
        self.entry = entry
        self.plan = plan
        position = state.position
        writer.restart(at: state.position)
        serializer = PlaylistSerializer(
            state, deck: writer, outputRate: outputRate, crossfade: settings.crossfade,
            isWanted: { [turn] in !turn.isCancelled })
        record = ControlLock(Record(segments: segments))
    }

    /// The segments from the one of `turn` on; none where that is not among them.
    func segments(from turn: Int) -> [PlaylistSegment] {
        record.withLock { record in
            guard let first = record.segments.first?.turn, turn >= first else { return [] }
            // One by one: what shares the record's memory would be read while that is written in place.
            return record.segments.dropFirst(turn - first).map { $0 }
        }
    }

    /// Forgets what lies before the segment of `turn`.
    func forget(before turn: Int) {
        record.withLock { record in
            while let first = record.segments.first, first.turn < turn, record.segments.count > 1 {
                record.segments.removeFirst()
            }
        }
    }

    /// The turn of the last segment; `nil` where there is none.
    var lastTurn: Int? { record.withLock { $0.segments.last?.turn } }

    /// The serializer's state after the last item, where that has been reached.
    var stateAfterEnd: PlaylistSerializer.State? { record.withLock { $0.after } }

    /// Frames from `position` on that are written.
    func lead(from position: Int64) -> Int64 {
        writer.sound.written - max(position, self.position)
    }

    var hasEnded: Bool { end != nil }

    /// The frame after the last one, where that is known.
    var end: Int64? {
        let end = writer.sound.end
        return end == .max ? nil : end
    }

    /// Gives up what was passed while the deck was filled.
    func skip(to position: Int64) { writer.sound.release(before: position - PlaylistDeck.keptFrames) }

    /// Whether no more can be written until something of it was played.
    var isSaturated: Bool { isStuck.load(ordering: .acquiring) }

    /// Who has the deck.
    var owner: StreamDeck.Writer { writer.owner }

    // MARK: Reading

    func read() -> Bool {
        if hasEnded { return false }
        if record.withLock({ $0.after != nil }) { return serializer.flush() }
        do {
            let outcome = try serializer.step { position, origin in
                record.withLock { record in
                    guard !record.segments.isEmpty else { return }
                    record.segments[record.segments.count - 1].position = position
                    record.segments[record.segments.count - 1].origin = origin
                    record.skipped = 0
                }
            }
            switch outcome {
            case .progress:
                isStuck.store(false, ordering: .releasing)
                return true
            case .full:
                isStuck.store(true, ordering: .releasing)
                return false
            case .needsItem: return open()
            }
        } catch  where isCancelled {
            return false
        } catch {
            guard let segment = record.withLock({ $0.segments.last }) else { return false }
            plan.failed(segment.item, "\(error)")
            close(segment)
            return true
        }
    }

    private func close(_ segment: PlaylistSegment) {
        if !serializer.hasBegun { skip(segment) }
        serializer.abandon()
        endSegment()
    }

    /// Notes where the item that was read has ended.
    private func endSegment() {
        let end = serializer.boundary
        record.withLock { record in
            record.isOpen = false
            if !record.segments.isEmpty { record.segments[record.segments.count - 1].end = end }
        }
    }

    private func skip(_ segment: PlaylistSegment) {
        serializer.skip(segment.item, turn: segment.turn)
        record.withLock { $0.skipped += 1 }
    }

    /// Items in a row that can't be played, after which a list that repeats ends.
    private static let mostSkipped = 1_000

    private func open() -> Bool {
        let (last, wasOpen, skipped) = record.withLock { ($0.segments.last, $0.isOpen, $0.skipped) }
        if wasOpen {
            endSegment()
            if let last, !serializer.hasBegun { skip(last) }
        }
        // A list that repeats and of which nothing can be played comes to an end.
        let planned: PlannedItem
        let turn: Int
        switch skipped < PlaylistFeed.mostSkipped ? plan.next(self) : .end {
        case .undecided:
            isStuck.store(true, ordering: .releasing)
            return false
        case .end:
            record.withLock { $0.after = serializer.state }
            serializer.end()
            return true
        case .item(let item, let number): (planned, turn) = (item, number)
        }
        var segment = PlaylistSegment(planned, turn: turn)
        if entry == nil { segment.before = serializer.state }
        let entry = self.entry ?? Entry(frame: planned.item.start)
        self.entry = nil
        record.withLock {
            $0.segments.append(segment)
            $0.isOpen = true
        }
        do {
            try serializer.open(
                planned.item, at: entry.frame, phase: entry.phase, origin: entry.origin, turn: turn)
        } catch  where isCancelled {
            return false
        } catch {
            plan.failed(planned.item.id, "\(error)")
            skip(segment)
            record.withLock { $0.isOpen = false }
        }
        return true
    }
}
