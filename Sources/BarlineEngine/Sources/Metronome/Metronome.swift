import BarlineDSP
import BarlineTime

/// The audio thread's metronome: what it plays, what it has planned and what sounds.
struct Metronome: ~Copyable, Source, @unchecked Sendable {
    // First, because ThreadSanitizer takes the first property for the address that is written to, and the compiler ends
    // where it is none (Swift 6.3.1); what it points to must be the audio thread's own.
    let voices: UnsafeMutablePointer<ClickVoice>
    var settings: MetronomeSettings
    var content: UnsafePointer<ClickContent>
    var plan = BeatPlan()
    var taps = TapTempo()
    /// The latest beat that was played since the transport began to roll.
    var playedBeat = Metronome.beforeAll
    /// Places of the pool from this one on are free.
    var voiceEnd = 0

    /// Where on the board it and its beats are.
    let place: BoardPlace<Snapshot>
    let beatPlace: BoardPlace<BeatSnapshot>

    init(_ setup: inout SourceSetup) {
        place = setup.places.claim(Snapshot.self)
        // Beats that were played, then those that come.
        beatPlace = setup.places.claim(BeatSnapshot.self, count: 2 * BeatPlan.beatCount)
        settings = setup.configuration.metronome
        content = setup.clicks
        voices = .allocate(capacity: ClickVoice.poolCount)
    }

    deinit { voices.deallocate() }

    static var beforeAll: Beat { @_noLocks get { Beat(rawValue: -.greatestFiniteMagnitude) } }

    @_noLocks mutating func answer(_ request: SourceRequest, _ context: inout RenderContext) -> Int {
        switch request {
        case .run(let phase): run(phase, &context)
        case .perform(.metronome(let action), at: let frame): perform(action, at: frame, &context)
        case .retime(let retiming): retime(retiming, &context)
        case .isReading(let content): return isReading(content, at: context.now) ? 1 : 0
        case .countFaults: return checkInvariants() ? 0 : 1
        // It clicks along with whatever the beats are.
        case .perform, .holdsBeats, .countSheddable, .shed: break
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

    /// Takes a change of the timeline that it has made itself, after everything else.
    @_noLocks mutating func give(_ retiming: Retiming, _ context: inout RenderContext) {
        context.give(retiming)
        retime(retiming, &context)
    }

    /// Whether the pool ends where it says, and only what is planned is planned.
    @_noLocks func checkInvariants() -> Bool {
        voiceEnd >= 0 && voiceEnd <= ClickVoice.poolCount && plan.checkInvariants()
            && (plan.isEmpty || plan.last.beat > playedBeat)
    }
}
