import BarlineDSP
import BarlineTime

/// The stems, on the audio thread: they are read at heads, from decks that a ``Multitrack`` has filled ahead.
struct Stems: ~Copyable, Source, @unchecked Sendable {
    /// Heads that can sound at once. Each but one is fading out.
    private static let headCapacity = 16

    /// Where each head is.
    let readings: UnsafeMutablePointer<StemReading>
    /// Where they are read; the deck that comes next is that to which stems that play jump with the bar.
    var heads: StreamHeads
    var set: UnsafePointer<StemSetContent>?
    /// The position at which the deck that is held is, in seconds.
    var heldSeconds = 0.0
    /// Whether the stems are to play as soon as there is a deck.
    var wantsToPlay = false
    var level = Ramp(constant: 1)

    /// How the stems lie on the grid; `nil` where they have seconds only.
    var grid: StemGrid?
    var hasGrid: Bool {
        @_noLocks get {
            if case .some = grid { return true }
            return false
        }
    }
    /// The position of a bar line, in seconds; 0 where the stems are not on the grid.
    var gridBarLine: Double {
        @_noLocks get {
            if case .some(let grid) = grid { return grid.barLine }
            return 0
        }
    }
    /// The position of a bar line, in seconds: the grid's, or that of the marker from which the stems have started.
    var barLine = 0.0
    /// The frame on which the stems start or jump, or the end of time; and the place of it: a bar, and quarter notes into it.
    var entryFrame = FrameTime(rawValue: .max)
    var entryBar: Int64 = 0
    var entryPhase = 0.0
    /// The position to which stems that play jump then, in seconds.
    var jumpSeconds = 0.0

    /// The loop's number, 0 for none; and the region in seconds.
    var loop = 0
    var loopStart = 0.0
    var loopEnd = 0.0
    /// The frame at which the loop's end is reached, or the end of time.
    var wrapFrame = FrameTime(rawValue: .max)
    /// Whether the loop's end was reached without a deck to go on from.
    var isWrapLate = false
    /// The frame after the last stem's last one, or the end of time where that is not known yet.
    var endFrame = FrameTime(rawValue: .max)
    var underruns: Int64 = 0
    /// How many places have stems that come or go.
    var unsettledSlots = 0
    /// The frames by which the timeline has moved and the stems have not: they do when they have faded out.
    var shift: Int64 = 0

    /// Where on the board they are.
    let place: BoardPlace<Snapshot>

    init(_ setup: inout SourceSetup) {
        place = setup.places.claim(Snapshot.self)
        heads = StreamHeads(capacity: Stems.headCapacity, decks: nil)
        readings = .allocate(capacity: Stems.headCapacity)
    }

    deinit {
        heads.deallocate()
        readings.deallocate()
    }

    /// The head that plays, or −1.
    var current: Int { @_noLocks get { heads.current } }

    /// A head, and where it is.
    @_noLocks func head(_ index: Int) -> StemHead { StemHead(heads[index], readings[index]) }

    /// Whether the stems wait for a place in the bar.
    var isQueued: Bool { @_noLocks get { entryFrame.rawValue != .max } }

    /// The position from which they go on there.
    var queuedSeconds: Double { @_noLocks get { heads.nextDeck >= 0 ? jumpSeconds : heldSeconds } }

    @_noLocks mutating func answer(_ request: SourceRequest, _ context: inout RenderContext) -> Int {
        switch request {
        case .run(let phase): run(phase, &context)
        case .perform(.stems(let action), at: let frame): perform(action, at: frame, &context)
        case .retime(let retiming): retime(retiming, &context)
        case .isReading(let content): return isReading(content) ? 1 : 0
        case .countFaults: return checkInvariants() ? 0 : 1
        // Stems move the beats where nothing else holds them, and never hold them against others.
        case .perform, .holdsBeats, .countSheddable, .shed: break
        }
        return 0
    }

    @_noLocks private mutating func run(_ phase: Phase, _ context: inout RenderContext) {
        switch phase {
        case .wraps: handleDue(&context)
        case .wake: context.wake(at: nextDueFrame(after: context.now))
        case .fill(let slice): fill(slice, &context)
        case .pass(let frames): if current >= 0 { supervise(count: frames, &context) }
        case .publish: publish(&context)
        case .ends, .boundaries, .leadIns, .streams, .clicks: break
        }
    }

    /// Takes a change of the timeline that it has made itself, after everything else.
    @_noLocks mutating func give(_ retiming: Retiming, _ context: inout RenderContext) {
        context.give(retiming)
        retime(retiming, &context)
    }

    @_noLocks private func isReading(_ content: UnsafeRawPointer) -> Bool {
        for head in 0..<heads.capacity
        where !heads[head].isFree && UnsafeRawPointer(readings[head].set) == content {
            return true
        }
        return false
    }

    /// Whether every place agrees with itself, and as many as are known to be are on their way.
    @_noLocks private func checkSlots() -> Bool {
        guard let set else { return true }
        var unsettled = 0
        for index in 0..<set.pointee.slotCount {
            if !set.pointee.slots[index].checkInvariants() { return false }
            if !set.pointee.slots[index].isSettled { unsettled += 1 }
        }
        return unsettled == unsettledSlots
    }

    /// Whether the head that plays does, and what is held or waits is a deck of a set that is there. O(places).
    @_noLocks func checkInvariants() -> Bool {
        if !heads.checkInvariants() { return false }
        if case .none = set, heads.heldDeck >= 0 || heads.nextDeck >= 0 || unsettledSlots > 0 { return false }
        if !checkSlots() { return false }
        if current < 0 { return wrapFrame.rawValue == .max && endFrame.rawValue == .max && shift == 0 }
        return heads.heldDeck < 0
    }
}
