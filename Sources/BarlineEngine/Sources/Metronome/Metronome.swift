import BarlineDSP
import BarlineTime

/// The metronome, on the audio thread: its settings, its planned clicks and its voices.
struct Metronome: ~Copyable, Source, @unchecked Sendable {
    // First, because ThreadSanitizer takes the first property as the address written to, and the compiler crashes if it
    // is not a pointer (Swift 6.3.1); what it points to must belong to the audio thread.
    let voices: UnsafeMutablePointer<ClickVoice>
    var settings: MetronomeSettings
    var content: UnsafePointer<ClickContent>
    var plan = BeatPlan()
    /// Whether the plan is out of date.
    var isPlanStale = false
    var taps = TapTempo()
    /// The latest beat played since the transport started.
    var playedBeat = Metronome.beforeAll
    /// Voices of the pool from this index on are free.
    var voiceEnd = 0

    /// The board places of its snapshot and its beats.
    let place: BoardPlace<Snapshot>
    let beatPlace: BoardPlace<BeatSnapshot>

    init(_ setup: inout SourceSetup) {
        place = setup.places.claim(Snapshot.self)
        // Past beats, then planned ones.
        beatPlace = setup.places.claim(BeatSnapshot.self, count: 2 * BeatPlan.beatCount)
        settings = setup.configuration.metronome
        content = setup.content(UnsafePointer<ClickContent>.self)
        voices = .allocate(capacity: ClickVoice.poolCount)
    }

    deinit { voices.deallocate() }

    static var beforeAll: Beat { @_noLocks get { Beat(rawValue: -.greatestFiniteMagnitude) } }

    static var strip: Channel? { .metronome }

    @_noLocks mutating func answer(_ request: SourceRequest, _ context: inout RenderContext) -> Int {
        switch request {
        case .run(let phase):
            if isPlanStale { planBeats(context.timeline) }
            run(phase, &context)
        case .retime(let retiming): retime(retiming, &context)
        case .isReading(let content): return isReading(content, at: context.now) ? 1 : 0
        case .countFaults: return checkInvariants() ? 0 : 1
        // It follows the beats, and has no part in these.
        case .holdsBeats, .countSheddable, .shed: break
        }
        return 0
    }

    @_noLocks private mutating func run(_ phase: Phase, _ context: inout RenderContext) {
        switch phase {
        case .clicks: playClicks(&context)
        case .wake: if context.timeline.isRolling { context.wake(at: plan.nextFrame) }
        case .fill(let slice): fill(slice, &context)
        case .publish: publish(&context)
        case .ends, .boundaries, .wraps, .leadIns, .streams, .pass: break
        }
    }

    /// Applies a timeline change of its own, after everything else.
    @_noLocks mutating func propagate(_ retiming: Retiming, _ context: inout RenderContext) {
        context.propagate(retiming)
        retime(retiming, &context)
    }

    /// Whether the invariants hold: those of its voices and taps do, the plan is current, and planned beats come after
    /// the latest played one. O(voices).
    @_noLocks func checkInvariants() -> Bool {
        if voiceEnd < 0 || voiceEnd > ClickVoice.poolCount { return false }
        for index in 0..<voiceEnd where !voices[index].checkInvariants() { return false }
        return !isPlanStale && plan.checkInvariants() && (plan.isEmpty || plan.last.beat > playedBeat)
            && taps.checkInvariants()
    }
}
