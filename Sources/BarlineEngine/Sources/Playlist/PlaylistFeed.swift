import BarlineDSP
import BarlineTime
import Synchronization

/// The feed of one deck. Any thread may inspect its segments; only one at a time makes it read on.
final class PlaylistFeed: StreamFeed, @unchecked Sendable {
    /// The purpose of a deck: how the audio thread switches to it.
    enum Purpose {
        /// A start: the audio thread leaves the playing deck for it.
        case start
        /// A change-over at the deck's first frame, with a fade of so many frames.
        case change(fade: Int64)
    }

    let deck: Int
    let purpose: Purpose
    let outputRate: SampleRate
    let settings: PlaylistSettings
    /// The position of the deck's first frame in the playlist's stream.
    let position: Int64

    private let writer: PlaylistDeck.Writer
    private let serializer: PlaylistSerializer
    private let record: ControlLock<Record>
    let lease = ReadLease()
    private let plan: Plan
    private let isStalled = Atomic<Bool>(false)

    /// The record of what was read so far, for the player.
    struct Record {
        var segments: [PlaylistSegment] = []
        /// Whether the last segment is still open.
        var isOpen = false
        /// The serializer's state after the last item.
        var after: PlaylistSerializer.State?
        /// The number of successive items that could not be played.
        var skipped = 0
        /// Whether it has ended because nothing can be played of a list that repeats.
        var hasGivenUp = false

        /// Whether segments are numbered one after the other, and what is over has an end. O(segments).
        func checkInvariants() -> Bool {
            for (first, second) in zip(segments, segments.dropFirst()) where second.playNumber != first.playNumber + 1 {
                return false
            }
            return !(isOpen && (segments.isEmpty || after != nil)) && skipped >= 0
        }
    }

    /// The entry into the first item.
    struct Entry {
        /// The first source frame that is read.
        let frame: Int64
        /// The distance of the first audible frame after it, in source frames.
        let phase: SourcePosition
        /// The position of the source's first frame in the playlist's stream, if it is known already.
        let origin: Double?

        /// The beginning of an item.
        init(beginningOf item: PlaylistItem) {
            frame = item.start
            phase = SourcePosition(rawValue: 0)
            origin = nil
        }

        /// The place `offset` source frames into an item: between two frames at another rate than the source's, and
        /// with the frames before it that the interpolation there depends on.
        init(into item: PlaylistItem, at offset: Double, outputRate: SampleRate, origin: Double? = nil) {
            self.origin = origin
            let exact = Double(item.start) + offset
            if item.source.sampleRate == outputRate {
                frame = Int64(exact.rounded())
                phase = SourcePosition(rawValue: 0)
                return
            }
            frame = max(item.start, Int64(exact.rounded(.down)) - Int64(VarispeedKernel.largestSpan / 2))
            phase = SourcePosition(snapping: exact - Double(frame))
        }
    }

    /// The player's answer to a feed that has reached the end of an item.
    enum Next {
        case item(PlannedItem, playNumber: Int)
        /// The list ends here.
        case end
        /// The list would go on for ever, and nothing of it can be played: it ends here.
        case nothing
        /// Not decided yet.
        case undecided
    }

    /// The player, as seen by a feed.
    struct Plan: Sendable {
        /// Returns the item of the feed's next segment, with its play number.
        let next: @Sendable (PlaylistFeed) -> Next
        /// Called with an item that could not be read, and the reason.
        let failed: @Sendable (PlaylistItemID, String) -> Void
        /// Called with an item of which the first frame was read.
        let began: @Sendable (PlaylistItemID) -> Void
    }

    private var entry: Entry?
    /// Whether the item that is read is read from its beginning on.
    private var beginsItem = false

    /// Takes over a deck that is being cued: it continues from `state`, which is reached after `segments`, and the
    /// first item that is opened is entered at `entry`, or at its start if that is `nil`.
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
            state, deck: writer, outputRate: outputRate, crossfade: settings.crossfade, quality: settings.quality,
            isWanted: { [lease] in !lease.isCancelled })
        record = ControlLock(Record(segments: segments)) { $0.checkInvariants() }
    }

    /// The segments from the one of play number `playNumber` on; empty if there is no such segment.
    func segments(from playNumber: Int) -> [PlaylistSegment] {
        record.withLock { record in
            guard let first = record.segments.first?.playNumber, playNumber >= first else { return [] }
            // Copied one by one: a slice would share the record's memory and be read while that is written in place.
            return record.segments.dropFirst(playNumber - first).map { $0 }
        }
    }

    /// Discards the segments before play number `playNumber`.
    func forget(before playNumber: Int) {
        record.withLock { record in
            while let first = record.segments.first, first.playNumber < playNumber, record.segments.count > 1 {
                record.segments.removeFirst()
            }
        }
    }

    /// The play number of the last segment; `nil` if there is none.
    var lastPlayNumber: Int? { record.withLock { $0.segments.last?.playNumber } }

    /// The serializer's state after the last item, if that has been reached.
    var stateAfterEnd: PlaylistSerializer.State? { record.withLock { $0.after } }

    /// The number of frames written from `position` on.
    func lead(from position: Int64) -> Int64 {
        writer.sound.written - max(position, self.position)
    }

    var hasEnded: Bool { end != nil }

    /// The number of successive items that could not be played, up to the last one that was opened.
    var skipped: Int { record.withLock { $0.skipped } }

    /// Whether it has ended because nothing can be played of a list that repeats.
    var hasGivenUp: Bool { record.withLock { $0.hasGivenUp } }

    /// The frame after the last one, if it is known.
    var end: Int64? {
        let end = writer.sound.end
        return end == .max ? nil : end
    }

    /// Releases frames that were passed while the deck was filled.
    func skip(to position: Int64) { writer.sound.release(before: position - PlaylistDeck.keptFrames) }

    /// Whether no more can be written until some of it was played.
    var isSaturated: Bool { isStalled.load(ordering: .acquiring) }

    /// The ownership of the deck.
    var owner: StreamDeck.Writer { writer.owner }

    // MARK: Reading

    func read() -> Bool {
        if hasEnded { return false }
        if record.withLock({ $0.after != nil }) {
            let isWritten = serializer.flush()
            isStalled.store(!isWritten, ordering: .releasing)
            return isWritten
        }
        do {
            let outcome = try serializer.step { position, origin in
                let item = record.withLock { record -> PlaylistItemID? in
                    guard !record.segments.isEmpty else { return nil }
                    record.segments[record.segments.count - 1].position = position
                    record.segments[record.segments.count - 1].origin = origin
                    record.skipped = 0
                    return record.segments[record.segments.count - 1].item
                }
                if let item { plan.began(item) }
            }
            switch outcome {
            case .progress:
                isStalled.store(false, ordering: .releasing)
                return true
            case .full:
                isStalled.store(true, ordering: .releasing)
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

    /// Records the end of the item that was read.
    private func endSegment() {
        let end = serializer.boundary
        record.withLock { record in
            record.isOpen = false
            if !record.segments.isEmpty { record.segments[record.segments.count - 1].end = end }
        }
    }

    private func skip(_ segment: PlaylistSegment) {
        serializer.skip(segment.item, playNumber: segment.playNumber)
        record.withLock { $0.skipped += 1 }
    }

    private func open() -> Bool {
        let (last, wasOpen) = record.withLock { ($0.segments.last, $0.isOpen) }
        if wasOpen {
            endSegment()
            if let last, !serializer.hasBegun {
                if beginsItem { plan.failed(last.item, "there is no sound in it from where it begins") }
                skip(last)
            }
        }
        let planned: PlannedItem
        let playNumber: Int
        let next = plan.next(self)
        switch next {
        case .undecided:
            isStalled.store(true, ordering: .releasing)
            return false
        case .end, .nothing:
            record.withLock { record in
                record.after = serializer.state
                if case .nothing = next { record.hasGivenUp = true }
            }
            serializer.end()
            return true
        case .item(let item, let number): (planned, playNumber) = (item, number)
        }
        var segment = PlaylistSegment(planned, playNumber: playNumber)
        if entry == nil { segment.before = serializer.state }
        beginsItem = self.entry == nil
        let entry = self.entry ?? Entry(beginningOf: planned.item)
        self.entry = nil
        record.withLock {
            $0.segments.append(segment)
            $0.isOpen = true
        }
        do {
            try serializer.open(
                planned.item, at: entry.frame, phase: entry.phase, origin: entry.origin, playNumber: playNumber)
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
