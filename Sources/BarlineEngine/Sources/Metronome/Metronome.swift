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

    init(
        _ settings: MetronomeSettings, content: UnsafePointer<ClickContent>, part place: BoardPlace<Snapshot>,
        beats beatPlace: BoardPlace<BeatSnapshot>
    ) {
        self.place = place
        self.beatPlace = beatPlace
        self.settings = settings
        self.content = content
        voices = .allocate(capacity: ClickVoice.poolCount)
    }

    deinit { voices.deallocate() }

    static var beforeAll: Beat { @_noLocks get { Beat(rawValue: -.greatestFiniteMagnitude) } }

    @_noLocks mutating func run(_ phase: Phase, _ context: inout RenderContext) {
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

    /// It clicks along with whatever the beats are.
    var holdsBeats: Bool { @_noLocks get { false } }

    /// Whether the pool ends where it says, and only what is planned is planned.
    @_noLocks func checkInvariants() -> Bool {
        voiceEnd >= 0 && voiceEnd <= ClickVoice.poolCount && (plan.isEmpty || plan.last.beat > playedBeat)
    }
}
