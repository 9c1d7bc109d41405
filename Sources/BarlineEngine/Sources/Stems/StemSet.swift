import BarlineTime
import Synchronization

/// Owns what a ``StemSetContent`` points to, on the control side, and fills its rings.
final class StemSet: @unchecked Sendable {
    let content: UnsafePointer<StemSetContent>
    let stems: [Stem]
    /// The feeding of every stem, deck by deck.
    let feeds: [[StemFeed]]
    private let places: UnsafeMutablePointer<StemPlace>
    private let decks: UnsafeMutablePointer<StemDeck>
    private let needsDeck: UnsafeMutablePointer<Atomic<Bool>>

    private static let lastNumber = Atomic<Int>(0)

    /// What commands call the set.
    var number: Int { content.pointee.number }

    init(_ stems: [Stem], recordedTempo: Tempo?) {
        self.stems = stems
        places = .allocate(capacity: max(1, stems.count))
        for (index, stem) in stems.enumerated() {
            let place = StemPlace(sourceRate: stem.source.sampleRate.hertz, offset: Double(stem.offset))
            (places + index).initialize(to: place)
        }
        decks = .allocate(capacity: StemSetContent.deckCount)
        for deck in 0..<StemSetContent.deckCount { (decks + deck).initialize(to: StemDeck(stems: stems.count)) }
        needsDeck = .allocate(capacity: 1)
        needsDeck.initialize(to: Atomic(false))
        let storage = UnsafeMutablePointer<StemSetContent>.allocate(capacity: 1)
        storage.initialize(
            to: StemSetContent(
                number: StemSet.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue, stems: UnsafePointer(places),
                count: stems.count, decks: UnsafePointer(decks),
                recordedTempo: recordedTempo?.beatsPerMinute ?? 0, needsDeck: UnsafePointer(needsDeck)))
        content = UnsafePointer(storage)
        feeds = (0..<StemSetContent.deckCount).map { deck in
            stems.indices.map {
                StemFeed(stems[$0], ring: storage.pointee.decks[deck].rings + $0, followsTempo: recordedTempo != nil)
            }
        }
    }

    deinit {
        decks.deinitialize(count: StemSetContent.deckCount)
        decks.deallocate()
        needsDeck.deinitialize(count: 1)
        needsDeck.deallocate()
        places.deallocate()
        content.deallocate()
    }

    /// Source frames before a position that are cued as well. A loop comes round on a whole frame, which may be half of
    /// one before the loop's start: at the highest speed (999 BPM of 20, 192 kHz at 44.1) some 110 source frames.
    private static let leadFrames: Int64 = 128

    /// Where a deck's rings begin when it is cued to `seconds`.
    func firstFrame(of stem: Int, seconds: Double) -> Int64 {
        let place = places[stem]
        return Int64((place.offset + seconds * place.sourceRate).rounded(.down)) - StemRing.reach - StemSet.leadFrames
    }

    /// Begins to fill a deck, which belongs to the control side, from `seconds` on.
    func cue(deck: Int, to seconds: Double) {
        for stem in stems.indices { feeds[deck][stem].restart(at: firstFrame(of: stem, seconds: seconds)) }
    }

    /// How much of what a deck needs for a start is there, 0 … 1.
    func readiness(deck: Int) -> Double {
        guard !stems.isEmpty else { return 1 }
        return stems.indices.reduce(0) { $0 + feeds[deck][$1].readiness } / Double(stems.count)
    }

    /// Reads a piece for the stem that lacks most, of all decks that are wanted.
    ///
    /// - Returns: whether there was anything to read.
    func feedNeediest() -> Bool {
        var neediest: StemFeed?
        var least = StemFeed.fullEnough
        for deck in 0..<StemSetContent.deckCount
        where decks[deck].status.load(ordering: .acquiring) != StemDeck.Status.idle {
            for feed in feeds[deck] where !feed.isBusy {
                let lead = feed.lead
                if lead < least {
                    least = lead
                    neediest = feed
                }
            }
        }
        return neediest?.fill() ?? false
    }

    /// What went wrong with a stem's source, by stem.
    var problems: [Int: String] {
        var problems: [Int: String] = [:]
        for deck in feeds {
            for (stem, feed) in deck.enumerated() {
                if let problem = feed.problem { problems[stem] = problem }
            }
        }
        return problems
    }
}
