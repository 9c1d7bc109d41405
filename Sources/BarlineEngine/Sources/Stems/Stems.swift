import BarlineDSP
import BarlineTime

/// The stems, on the audio thread: heads read them from decks prefetched by a ``Multitrack``.
struct Stems: ~Copyable, Source, @unchecked Sendable {
    /// The number of heads that can sound at once. All but one are fading out.
    private static let headCapacity = 16

    /// The position of each head.
    let readings: UnsafeMutablePointer<StemReading>
    /// The heads; the next deck is the one to which playing stems jump with the bar.
    var heads: StreamHeads
    var set: UnsafePointer<StemSetContent>?
    /// The position of the held deck, in seconds.
    var heldSeconds = 0.0
    /// Whether to start playing as soon as there is a deck.
    var wantsToPlay = false
    /// Where the stems that these replaced were, in seconds, and the frame on which they were replaced while they played.
    var leftSeconds = 0.0
    var leftFrame = FrameTime.never
    var level = Ramp(constant: 1)

    /// The stems' place on the grid; `nil` if they are positioned in seconds only.
    var grid: StemGrid?
    var hasGrid: Bool {
        @_noLocks get {
            if case .some = grid { return true }
            return false
        }
    }
    /// The position of a bar line, in seconds; 0 if the stems are not on the grid.
    var gridBarLine: Double {
        @_noLocks get {
            if case .some(let grid) = grid { return grid.barLine }
            return 0
        }
    }
    /// The position of a bar line, in seconds: the grid's, or that of the marker from which the stems were started.
    var barLine = 0.0
    /// The frame on which the stems start or jump, or the end of time; and its place: a bar, and quarter notes into it.
    var entryFrame = FrameTime.never
    var entryBar: Int64 = 0
    var entryPhase = 0.0
    /// The position to which playing stems jump then, in seconds.
    var jumpSeconds = 0.0

    /// The loop's number, 0 for none; and the region in seconds.
    var loop = 0
    var loopStart = 0.0
    var loopEnd = 0.0
    /// The frame at which the loop's end is reached, or the end of time.
    var wrapFrame = FrameTime.never
    /// Whether the loop's end was reached without a deck to continue from.
    var isWrapLate = false
    /// The frame after the last stem's last one, or the end of time while that is unknown.
    var endFrame = FrameTime.never
    var underruns: Int64 = 0
    /// The number of places with an exchange in progress.
    var changingSlots = 0
    /// The number of frames by which the timeline has moved and the stems have not: they move once they have faded out.
    var shift: Int64 = 0

    /// The board place of their snapshot.
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

    /// A head, and its position.
    @_noLocks func head(_ index: Int) -> StemHead { StemHead(heads[index], readings[index]) }

    /// Whether the stems wait for a position in the bar.
    var isQueued: Bool { @_noLocks get { !entryFrame.isNever } }

    /// The position from which they play then.
    var queuedSeconds: Double { @_noLocks get { heads.nextDeck >= 0 ? jumpSeconds : heldSeconds } }

    @_noLocks mutating func answer(_ request: SourceRequest, _ context: inout RenderContext) -> Int {
        switch request {
        case .run(let phase): run(phase, &context)
        case .retime(let retiming): retime(retiming, &context)
        case .isReading(let content): return isReading(content) ? 1 : 0
        case .countFaults: return checkInvariants() ? 0 : 1
        // Stems move the beats if nothing else holds them, and never hold them against others.
        case .holdsBeats, .countSheddable, .shed: break
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

    /// Applies a timeline change of its own, after everything else.
    @_noLocks mutating func propagate(_ retiming: Retiming, _ context: inout RenderContext) {
        context.propagate(retiming)
        retime(retiming, &context)
    }

    @_noLocks private func isReading(_ content: UnsafeRawPointer) -> Bool {
        for head in 0..<heads.capacity
        where !heads[head].isFree && UnsafeRawPointer(readings[head].set) == content {
            return true
        }
        return false
    }

    /// Whether the invariants of every place hold, and the count of exchanges in progress is right.
    @_noLocks private func checkSlots() -> Bool {
        guard let set else { return true }
        var changing = 0
        for index in 0..<set.pointee.slotCount {
            if !set.pointee.slots[index].checkInvariants() { return false }
            if !set.pointee.slots[index].isSteady { changing += 1 }
        }
        return changing == changingSlots
    }

    /// Whether the invariants hold: the current head plays, and the held and the next deck are decks of the current
    /// set. O(places).
    @_noLocks func checkInvariants() -> Bool {
        if !heads.checkInvariants() { return false }
        if case .none = set, heads.heldDeck >= 0 || heads.nextDeck >= 0 || changingSlots > 0 { return false }
        if !checkSlots() { return false }
        if current < 0 { return wrapFrame.isNever && endFrame.isNever && shift == 0 }
        return heads.heldDeck < 0
    }
}
