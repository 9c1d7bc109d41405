import BarlineEngine
import BarlineTime

/// The actions of a render in the order in which they are done, in frames since playing began.
///
/// What is for a beat or a bar is sent ahead to the engine, which waits for it whatever the tempo does. What needs audio
/// from a feed on its frame, what depends on what has been recorded by then, and what moves the frames of those that
/// wait, begins a block.
struct RenderSchedule {
    private var steps: ArraySlice<ScriptMoments.Step>
    private var moments: ScriptMoments
    /// How far ahead what waits for a beat is sent.
    private let ahead: Int64
    private var now: Int64 = 0
    private var isRolling = false
    /// Whether something was done at ``now`` that moves the frames of beats, or those on which the list goes on: where
    /// they are is known after a frame.
    private(set) var isAfterChange = false

    /// The frames on which what was sent ahead is expected, in the order in which it was sent.
    private var sent: [Int64] = []
    private var sentStart = 0

    private static let aheadSeconds = 10.0
    /// How much is sent ahead at most: what comes in the next block is sent in any case.
    private static let mostAhead = 1024

    init(_ script: PerformanceScript, at rate: SampleRate, lead: Int64, blockFrames: Int) {
        steps = script.steps(at: rate).map { (frame: $0.frame + lead, order: $0.order, entry: $0.entry) }[...]
        moments = ScriptMoments(script)
        ahead = max(rate.frames(seconds: RenderSchedule.aheadSeconds), 64 * Int64(blockFrames))
    }

    /// How much waits for a beat or a bar and was not sent.
    var waitingCount: Int { moments.count }

    mutating func follow(_ map: TimelineMap) {
        moments.follow(map)
        isRolling = map.isRolling
    }

    /// The frame of the next step before `end` that begins a block, as far as is known; `nil` where there is none.
    func nextBlock(before end: Int64) -> Int64? {
        let step = steps.prefix { $0.frame.rawValue < end }.first { beginsBlock($0.entry) }
        // Others may wait before it, for a step that comes before them.
        let moment = moments.upcoming(before: FrameTime(end)).first { beginsBlock($0.entry) }
        return [step, moment].compactMap { $0?.frame.rawValue }.min()
    }

    /// Takes out the next step that can be done at `now`, when all frames before `end` will be rendered next.
    ///
    /// - Returns: the step, and when it is for.
    mutating func takeNext(before end: Int64, at now: Int64) -> (moment: any Moment, entry: ScriptEntry)? {
        if now != self.now { (self.now, isAfterChange) = (now, false) }
        let moment = moments.next
        if let moment, steps.first.map({ ($0.frame, $0.order) > (moment.frame, moment.order) }) ?? true {
            let begins = beginsBlock(moment.entry)
            guard moment.frame.rawValue < (begins ? now + 1 : horizon(from: now, end: end)) else { return nil }
            noteChange(moment.entry)
            moments.removeNext()
            sent.append(moment.frame.rawValue)
            // A feed wants a frame, and the engine knows best what comes on which, and what while the transport stands.
            if moment.entry.isFed, isRolling { return (FrameTime(max(now, moment.frame.rawValue)), moment.entry) }
            return (moment.entry.time.moment(since: .zero, at: .standard), moment.entry)
        }
        guard let step = steps.first, step.frame.rawValue < end else { return nil }
        // What is not sent ahead begins a block of its own.
        if step.frame.rawValue > now, beginsBlock(step.entry) { return nil }
        noteChange(step.entry)
        steps.removeFirst()
        return (FrameTime(max(0, step.frame.rawValue - step.entry.late)), step.entry)
    }

    /// The frame up to which what waits for a beat is sent at `now`.
    private mutating func horizon(from now: Int64, end: Int64) -> Int64 {
        while sentStart < sent.count, sent[sentStart] <= now { sentStart += 1 }
        if sentStart > RenderSchedule.mostAhead {
            sent.removeFirst(sentStart)
            sentStart = 0
        }
        return sent.count - sentStart < RenderSchedule.mostAhead ? max(end, now + ahead) : end
    }

    private mutating func noteChange(_ entry: ScriptEntry) {
        if case .playlist = entry.action { isAfterChange = true }
        if movesBeats(entry) { isAfterChange = true }
    }

    /// Whether beats that others wait for are on other frames after it. Anything may set the transport rolling.
    private func movesBeats(_ entry: ScriptEntry) -> Bool { !moments.isEmpty && (!isRolling || entry.movesBeats) }

    /// Whether a block begins with it: it needs audio from a feed or what has been recorded, is sent without a frame, or
    /// moves the beats that others wait for.
    private func beginsBlock(_ entry: ScriptEntry) -> Bool {
        entry.isFed || entry.needsTakes || entry.late > 0 || movesBeats(entry)
    }
}

extension ScriptEntry {
    /// Whether it is an edit, or needs audio from a feed, as stems do that go on elsewhere.
    fileprivate var isFed: Bool {
        switch action {
        case .stems, .playlist, .session, .change, .clockJump: true
        default: false
        }
    }

    /// Whether what it does depends on the takes and layers that there are by then.
    fileprivate var needsTakes: Bool {
        switch action {
        case .record, .layer, .startPosition: true
        default: false
        }
    }

    /// Whether beats are on other frames after it.
    fileprivate var movesBeats: Bool {
        switch action {
        case .tempo, .tap, .timeSignature, .transport, .session, .clockJump: true
        default: false
        }
    }
}
