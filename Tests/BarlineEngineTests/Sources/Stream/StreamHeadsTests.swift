import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

/// Decks of which some are the audio thread's, and heads for them.
private final class Bench {
    let owners: StreamDecks
    var heads: StreamHeads

    init(decks: Int, heads: Int) {
        owners = StreamDecks(count: decks)
        self.heads = StreamHeads(capacity: heads, decks: owners.readers)
    }

    deinit {
        heads.deallocate()
        owners.deallocate()
    }

    /// A deck that was filled and sent.
    func deck() throws -> Int {
        let deck = try #require(owners.writers.takeIdle())
        owners.writers[deck].send()
        return deck
    }

    func start(_ deck: Int) { heads.start(StreamHead(owners.readers, deck: deck)) }

    var idle: [Int] { (0..<owners.writers.count).filter { owners.writers[$0].isIdle } }
}

@Suite("Heads and decks of a stream")
struct StreamHeadsTests {
    @Test("A deck is given back when the last head has faded out, on that frame")
    func fading() throws {
        let bench = Bench(decks: 2, heads: 4)
        let deck = try bench.deck()
        bench.start(deck)
        #expect(bench.heads.current == 0 && bench.heads.areSounding && bench.heads.nextEnd.rawValue == .max)
        bench.heads.leave(at: FrameTime(100), frames: 50)
        #expect(bench.heads.current == -1 && bench.heads.nextEnd == FrameTime(150))
        bench.heads.endFaded(at: FrameTime(149))
        #expect(bench.idle == [1] && bench.heads.areSounding)
        bench.heads.endFaded(at: FrameTime(150))
        #expect(bench.idle == [0, 1] && !bench.heads.areSounding)
    }

    @Test("A deck that is held or comes next is kept while the heads that read it fade out")
    func wanted() throws {
        let bench = Bench(decks: 3, heads: 4)
        let (first, second) = (try bench.deck(), try bench.deck())
        bench.start(first)
        bench.heads.hold(first)
        bench.heads.queue(second)
        bench.heads.leave(at: FrameTime(0), frames: 10)
        bench.heads.endFaded(at: FrameTime(10))
        #expect(bench.idle == [2])
        // From the deck that is held it goes on; what takes its place gives it back.
        bench.start(bench.heads.takeHeld())
        #expect(bench.heads.heldDeck == -1 && bench.heads.checkInvariants())
        bench.heads.end()
        #expect(bench.idle == [first, 2])
        bench.heads.queue(-1)
        #expect(bench.idle == [0, 1, 2])
    }

    @Test("Where no head is free the one that has faded longest gives its place, and its deck, away")
    func stolen() throws {
        let bench = Bench(decks: 4, heads: 3)
        for frame in 0..<3 {
            bench.start(try bench.deck())
            bench.heads.leave(at: FrameTime(Int64(frame)), frames: 1_000)
        }
        #expect(bench.idle == [3])
        bench.start(try bench.deck())
        #expect(bench.idle == [0] && bench.heads.current == 0)
        #expect(bench.heads[0].deck == 3 && bench.heads[0].isPlaying)
    }

    @Test("A pause that is undone on its frame resumes the head, at the level that it had")
    func resumed() throws {
        let bench = Bench(decks: 2, heads: 2)
        let deck = try bench.deck()
        var head = StreamHead(bench.owners.readers, deck: deck)
        head.fadeIn(at: FrameTime(0), frames: 100)
        bench.heads.start(head)
        bench.heads.leave(at: FrameTime(25), frames: 100)
        #expect(bench.heads.justLeft(deck, at: FrameTime(26), from: 0) == -1)
        #expect(bench.heads.justLeft(1 - deck, at: FrameTime(25), from: 0) == -1)
        let index = bench.heads.justLeft(deck, at: FrameTime(25), from: 0)
        try #require(index == 0)
        bench.heads.resume(index, at: FrameTime(25), frames: 50)
        #expect(bench.heads.current == index && bench.heads[index].isPlaying)
        #expect(bench.heads[index].gain(at: FrameTime(25)) == 0.25)
        #expect(bench.heads[index].gain(at: FrameTime(50)) == 0.625)
        #expect(bench.heads[index].gain(at: FrameTime(75)) == 1)
    }

    @Test("Heads that go on after a change to other decks give the old ones back, and not those of the same number")
    func changed() throws {
        let bench = Bench(decks: 2, heads: 2)
        let others = StreamDecks(count: 2)
        defer { others.deallocate() }
        let deck = try bench.deck()
        bench.start(deck)
        bench.heads.leave(at: FrameTime(0), frames: 10)
        bench.heads.change(to: others.readers)
        let other = try #require(others.writers.takeIdle())
        others.writers[other].send()
        try #require(other == deck)
        bench.heads.hold(other)
        bench.heads.endFaded(at: FrameTime(10))
        #expect(bench.idle == [0, 1])
        #expect(others.writers[other].isInUse)
        bench.heads.change(to: nil)
        #expect(others.writers[other].isIdle && bench.heads.checkInvariants())
    }

    @Test("What is offered is taken once, for what it is offered for, or withdrawn")
    func offered() throws {
        let owners = StreamDecks(count: 2)
        defer { owners.deallocate() }
        let deck = try #require(owners.writers.takeIdle())
        #expect(!owners.writers[deck].takeIdle() && !owners.readers[deck].isAvailable)
        owners.writers[deck].offer(for: 7)
        #expect(owners.writers[deck].isOffered && owners.readers[deck].isAvailable)
        #expect(owners.readers.takeOffered(for: 8) == -1)
        #expect(owners.readers.takeOffered(for: 7) == deck)
        #expect(owners.readers.takeOffered(for: 7) == -1 && owners.writers[deck].isInUse)
        // The audio thread was first.
        owners.writers[deck].withdraw()
        #expect(owners.writers[deck].isInUse)
        owners.readers[deck].leave()
        #expect(owners.writers[deck].takeIdle())
        owners.writers[deck].offer(for: 9)
        owners.writers[deck].withdraw()
        #expect(owners.writers[deck].isIdle && owners.readers.takeOffered(for: 9) == -1)
        let last = try #require(owners.writers.takeIdle())
        owners.writers[last].abandon()
        #expect(owners.writers[last].isIdle)
    }
}
