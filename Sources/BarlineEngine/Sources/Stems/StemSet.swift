import BarlineTime
import Foundation
import Synchronization

/// The owner of what a ``StemSetContent`` points to, on the control side; fills its rings.
final class StemSet: @unchecked Sendable {
    let content: UnsafePointer<StemSetContent>
    private let slots: UnsafeMutablePointer<StemSlot>
    private let owners = StreamDecks(count: StemSetContent.deckCount)
    private let positions: UnsafeMutablePointer<StemDeckPosition>
    private let needsDeck: UnsafeMutablePointer<Atomic<Bool>>
    private let voices: StemVoices?
    private let stock: ControlLock<Stock>
    /// Threads that read while an offline block is rendered, and their number.
    let readers = DispatchGroup()
    let readerThreads = Atomic<Int>(0)

    /// The stems of a set: those at their places, and those to be retired.
    private struct Stock {
        /// The stems by place.
        private(set) var present: [LoadedStem?]
        /// Replaced stems, until the audio thread has retired them.
        private var former: [(slot: Int, stem: LoadedStem)] = []
        /// The places whose stretch voices have been prepared.
        var prepared: Set<Int>
        /// All stems, and the highest sample rate of those at their places, in hertz, or 0: they are asked for before
        /// every block of a render.
        private(set) var all: [LoadedStem] = []
        private(set) var highestRate = 0.0

        init(_ present: [LoadedStem?], prepared: Set<Int>) {
            self.present = present
            self.prepared = prepared
            update()
        }

        /// Puts a stem, or none, at a place.
        ///
        /// - Returns: the stem that was there.
        mutating func put(_ stem: LoadedStem?, in slot: Int) -> LoadedStem? {
            forget()
            let replaced = present[slot]
            if let replaced { former.append((slot, replaced)) }
            present[slot] = stem
            update()
            return replaced
        }

        /// Releases stems that the audio thread has retired.
        mutating func forget() {
            if !former.contains(where: \.stem.isLeft) { return }
            for (_, stem) in former where stem.isLeft { stem.cancel() }
            former.removeAll(where: \.stem.isLeft)
            update()
        }

        /// Whether a stem that was replaced at a place has not been retired yet.
        func isExchanging(_ slot: Int) -> Bool { former.contains { $0.slot == slot && !$0.stem.isLeft } }

        private mutating func update() {
            let stems = present.compactMap(\.self)
            all = stems + former.map(\.stem)
            highestRate = stems.reduce(0) { max($0, $1.stem.source.sampleRate.hertz) }
        }

        /// Whether a stem has one place, and the voices that it needs are there. O(stems²).
        func checkInvariants() -> Bool {
            let stems = all
            for (index, stem) in stems.enumerated() where stems[..<index].contains(where: { $0 === stem }) {
                return false
            }
            return present.indices.allSatisfy { present[$0]?.stem.stretching == nil || prepared.contains($0) }
        }
    }

    private static let lastNumber = Atomic<Int>(0)

    /// The decks, for each of which every stem has a ring.
    var decks: StreamDecks.Writers { owners.writers }

    /// The number by which commands identify the set.
    var number: Int { content.pointee.number }

    /// - Parameters:
    ///   - stems: a stem, or none, for each place.
    ///   - recordedTempo: the tempo at which they play at their own rate, if they follow the engine's.
    ///   - sampleRate: the engine's sample rate.
    init(_ stems: [Stem?], recordedTempo: Tempo?, sampleRate: SampleRate) {
        let present = stems.map { stem in stem.map { LoadedStem($0, followsTempo: recordedTempo != nil) } }
        let capacity = present.count
        let stretched = present.indices.filter { present[$0]?.stem.stretching != nil }
        stock = ControlLock(Stock(present, prepared: Set(stretched))) { $0.checkInvariants() }
        voices = recordedTempo.map { _ in StemVoices(slotCount: capacity, sampleRate: sampleRate) }
        for slot in stretched { voices?.prepare(slot: slot) }
        slots = .allocate(capacity: capacity)
        for (index, stem) in present.enumerated() { (slots + index).initialize(to: StemSlot(stem?.part)) }
        positions = .allocate(capacity: StemSetContent.deckCount)
        for deck in 0..<StemSetContent.deckCount { (positions + deck).initialize(to: StemDeckPosition()) }
        needsDeck = .allocate(capacity: 1)
        needsDeck.initialize(to: Atomic(false))
        let storage = UnsafeMutablePointer<StemSetContent>.allocate(capacity: 1)
        storage.initialize(
            to: StemSetContent(
                number: StemSet.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue, slots: slots,
                slotCount: capacity, decks: owners.readers, positions: UnsafePointer(positions),
                recordedTempo: recordedTempo?.beatsPerMinute ?? 0, voices: voices?.content,
                needsDeck: UnsafePointer(needsDeck)))
        content = UnsafePointer(storage)
    }

    deinit {
        slots.deallocate()
        owners.deallocate()
        positions.deinitialize(count: StemSetContent.deckCount)
        positions.deallocate()
        needsDeck.deinitialize(count: 1)
        needsDeck.deallocate()
        content.deallocate()
    }

    /// The stems by place.
    var stems: [Stem?] { stock.withLock { $0.present.map { $0?.stem } } }

    /// Whether a stem is on its way to a place, in which the former one is audible until then.
    func isExchanging(_ slot: Int) -> Bool { stock.withLock { $0.isExchanging(slot) } }

    /// The highest sample rate of the stems, in hertz; 0 without any.
    var highestRate: Double { stock.withLock { $0.highestRate } }

    /// The stems whose rings are being filled.
    var loaded: [LoadedStem] { stock.withLock { $0.all } }

    /// Loads a stem for a place, without putting it there.
    func load(_ stem: Stem, for slot: Int) -> LoadedStem {
        if stem.stretching != nil {
            let isFirst = stock.withLock { stock in stock.prepared.insert(slot).inserted }
            if isFirst { voices?.prepare(slot: slot) }
        }
        return LoadedStem(stem, followsTempo: content.pointee.recordedTempo > 0)
    }

    /// Puts a stem, or none, at a place, and has its rings filled for the positions of the other stems. Not while a
    /// deck is cued.
    func put(_ stem: LoadedStem?, in slot: Int) {
        for deck in 0..<StemSetContent.deckCount where !decks[deck].isIdle {
            stem?.cue(deck: deck, to: positions[deck].seconds)
        }
        stock.withLock { stock in
            let former = stock.put(stem, in: slot)
            // Without a successor it fades out at once, and enough is in memory for that.
            if stem == nil { former?.cancel() }
        }
    }

    /// Cancels all reading.
    func cancel() { for stem in loaded { stem.cancel() } }

    /// Starts filling a deck, which the control side must own, from `seconds` on.
    func cue(deck: Int, to seconds: Double) {
        positions[deck].set(to: seconds)
        for stem in loaded { stem.cue(deck: deck, to: seconds) }
    }

    /// The share of a deck's data needed for a start that is in memory, 0 … 1.
    func readiness(deck: Int) -> Double {
        let stems = loaded
        guard !stems.isEmpty else { return 1 }
        return stems.reduce(0) { $0 + $1.feeds[deck].readiness } / Double(stems.count)
    }

    /// Whether every stem could start on any deck that the audio thread owns.
    var isReady: Bool {
        let stems = stock.withLock { $0.present.compactMap(\.self) }
        return (0..<StemSetContent.deckCount).allSatisfy { deck in
            !decks[deck].isInUse || stems.allSatisfy { $0.feeds[deck].readiness == 1 }
        }
    }

    /// Reads a piece for the stem with the least data, of all decks in use.
    ///
    /// - Returns: whether there was anything to read.
    func feedMostUrgent() -> Bool {
        feedMostUrgent(of: takeStems())
    }

    /// The stems whose rings are to be filled now; those that the audio thread has retired are released.
    func takeStems() -> [LoadedStem] {
        stock.withLock { stock in
            stock.forget()
            return stock.all
        }
    }

    /// Reads a piece for that one of `stems` that has the least data, of all decks in use.
    ///
    /// - Returns: whether there was anything to read.
    func feedMostUrgent(of stems: [LoadedStem]) -> Bool {
        let feeds = (0..<StemSetContent.deckCount).lazy.filter { !self.decks[$0].isIdle }
            .flatMap { deck in stems.lazy.map { $0.feeds[deck] } }
        return feeds.mostUrgent(below: SourceFeed.fullEnough, lead: \.lead)?.readOn() ?? false
    }

    /// The read errors of stems' sources, by place.
    var problems: [Int: String] {
        let present = stock.withLock { $0.present }
        return Dictionary(
            uniqueKeysWithValues: present.enumerated().compactMap { slot, stem in
                stem?.problem.map { (slot, $0) }
            })
    }
}
