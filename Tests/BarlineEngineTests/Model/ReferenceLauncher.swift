import BarlineEngine

/// The launch rules of the specification, restated as plainly as can be: nothing is remembered but beats, and every
/// frame is worked out anew from the tempo and the bars in force.
final class ReferenceLauncher {
    struct Playing {
        var clip: Int
        var start: Int
        /// The beat, or for an unsynced clip the exact frame, at which the clip is at its first frame.
        var origin: Double
        var iteration = 0
        var take: Int
    }

    enum Wish: Hashable {
        case launch(Int)
        case stop
    }

    struct Waiting {
        var wish: Wish
        var boundary: Boundary
    }

    struct Lane {
        var playing: Playing?
        var waiting: Waiting?
        var held: Int?
    }

    /// What sounded on a track from one start to the stop after it.
    struct Take {
        var clip: Int
        var lane: Int
        var start: Int
        var stop: Int?
        var endedByItself = false
        var fadesIn: Bool
        var origin: Double
        /// Which of ``runs`` the origin belongs to.
        var run: Int
    }

    let clips: [ClipPlan]
    var rate: Double
    private(set) var now = 0
    private(set) var happenings: [Happening] = []
    private(set) var takes: [Take] = []
    /// The tempo of every time the transport rolled, and the one in force.
    private(set) var runs: [ReferenceTempo]
    var lanes: [Lane]
    private(set) var isRolling = false
    private(set) var bars: ReferenceBars
    private(set) var tempoChanges: [Int] = []

    private var grid: Grid
    private var tolerance: Double
    private let startsAtOnce: Bool
    private var rollFrame = 0
    private var rollBeat = 0.0
    private var sceneTempo: (tempo: Double, boundary: Boundary)?
    private var pulse = (bar: 0, index: 0)
    private var commands: [(frame: Int, step: Step)] = []

    init(_ setup: Setup) {
        clips = setup.clips
        rate = setup.rate
        runs = [ReferenceTempo(frame: 0, beat: 0, tempo: setup.tempo, rate: setup.rate)]
        lanes = Array(repeating: Lane(), count: setup.trackCount)
        bars = ReferenceBars(setup.metre)
        grid = setup.grid
        tolerance = setup.tolerance
        startsAtOnce = setup.startsAtOnce
    }

    var tempo: ReferenceTempo { runs[runs.count - 1] }

    var fade: Int { ReferenceTempo.nearest(0.005 * rate) }

    func give(_ step: Step, at frame: Int) { commands.append((frame, step)) }

    // MARK: Time

    /// Does everything that is due before `end`.
    func advance(to end: Int) {
        while let due = nextDue(), due < end {
            now = max(now, due)
            handle()
        }
        now = max(now, end)
    }

    func frame(of waiting: Waiting) -> Int { tempo.frame(of: waiting.boundary.beat(in: bars)) }

    private func edge(_ playing: Playing, turn: Int) -> Int {
        let clip = clips[playing.clip]
        if let beats = clip.beats { return tempo.frame(of: playing.origin + Double(turn) * beats) }
        return ReferenceTempo.nearest(playing.origin + Double(turn) * clip.length * rate / clip.sourceRate)
    }

    private func end(_ playing: Playing) -> Int? {
        clips[playing.clip].loops ? nil : max(edge(playing, turn: 1), playing.start + 1)
    }

    private func pulseFrame() -> Int {
        tempo.frame(of: bars.line(pulse.bar) + Double(pulse.index) * bars.metre(ofBar: pulse.bar).pulse)
    }

    private func nextDue() -> Int? {
        var due = commands.map(\.frame)
        for lane in lanes {
            if let waiting = lane.waiting { due.append(frame(of: waiting)) }
            if let playing = lane.playing {
                due.append(end(playing) ?? edge(playing, turn: playing.iteration + 1))
            }
        }
        if isRolling {
            due.append(pulseFrame())
            if let sceneTempo { due.append(tempo.frame(of: sceneTempo.boundary.beat(in: bars))) }
        }
        return due.min()
    }

    private func handle() {
        for lane in lanes.indices {
            if let playing = lanes[lane].playing, let end = end(playing), end <= now { stop(lane, byItself: true) }
        }
        while let index = commands.firstIndex(where: { $0.frame <= now }) {
            let command = commands.remove(at: index)
            perform(command.step, at: command.frame)
        }
        for lane in lanes.indices {
            if let waiting = lanes[lane].waiting, frame(of: waiting) <= now { fire(lane) }
        }
        if isRolling, let pending = sceneTempo, tempo.frame(of: pending.boundary.beat(in: bars)) <= now {
            changeTempo(pending.tempo, ramp: 0)
            sceneTempo = nil
        }
        for lane in lanes.indices { wrap(lane) }
        while isRolling, pulseFrame() <= now { beatPulse() }
    }

    // MARK: Commands

    private func perform(_ step: Step, at frame: Int) {
        switch step {
        case .launch(let clip): press(clip, at: frame)
        case .release(let clip): release(clip, at: frame)
        case .scene(let row, let stopping, let tempo):
            for lane in stopping { wishStop(lane, at: frame) }
            if let tempo { wishTempo(tempo, at: frame) }
            for clip in row { press(clip, at: frame) }
        case .stop(let lane): wishStop(lane, at: frame)
        case .stopNow(let lane): cut(lane)
        case .stopAll: for lane in lanes.indices { wishStop(lane, at: frame) }
        case .stopAllNow: for lane in lanes.indices { cut(lane) }
        case .tempo(let tempo, let ramp): changeTempo(tempo, ramp: ramp)
        case .metre(let metre): changeMetre(metre)
        case .grid(let value): grid = value
        case .tolerance(let value): tolerance = value
        case .startTransport: if !isRolling { roll(from: 0, at: frame) }
        case .stopTransport: haltTransport()
        }
    }

    private func grid(of clip: Int) -> Grid { clips[clip].grid ?? grid }

    private func press(_ clip: Int, at frame: Int) {
        let lane = clips[clip].track
        let isQueued = lanes[lane].waiting?.wish == .launch(clip)
        let plays = lanes[lane].playing?.clip == clip
        if clips[clip].mode == .toggle, isQueued || (plays && lanes[lane].waiting == nil) {
            wishStop(lane, at: frame)
            return
        }
        wishLaunch(clip, at: frame)
        if clips[clip].mode == .repeat {
            lanes[lane].held = clip
            wishRepeat(lane)
        }
    }

    private func release(_ clip: Int, at frame: Int) {
        let lane = clips[clip].track
        let isQueued = lanes[lane].waiting?.wish == .launch(clip)
        let plays = lanes[lane].playing?.clip == clip
        if clips[clip].mode == .gate, isQueued || plays { wishStop(lane, at: frame) }
        if clips[clip].mode == .repeat, lanes[lane].held == clip {
            lanes[lane].held = nil
            if isQueued, plays { lanes[lane].waiting = nil }
        }
    }

    private func wishLaunch(_ clip: Int, at frame: Int) {
        let lane = clips[clip].track
        lanes[lane].held = nil
        let (boundary, isPast) = launchPoint(grid(of: clip), at: frame)
        lanes[lane].waiting = Waiting(wish: .launch(clip), boundary: boundary)
        if isPast || tempo.frame(of: boundary.beat(in: bars)) <= now { fire(lane) }
    }

    private func wishStop(_ lane: Int, at frame: Int) {
        lanes[lane].waiting = nil
        lanes[lane].held = nil
        guard let playing = lanes[lane].playing else { return }
        let (boundary, isPast) = point(grid(of: playing.clip), at: max(frame, rollFrame), tolerance: tolerance)
        if isPast || tempo.frame(of: boundary.beat(in: bars)) <= now {
            stop(lane)
        } else {
            lanes[lane].waiting = Waiting(wish: .stop, boundary: boundary)
        }
    }

    private func wishTempo(_ target: Double, at frame: Int) {
        if !isRolling {
            changeTempo(target, ramp: 0)
            return
        }
        let (boundary, isPast) = launchPoint(grid, at: frame)
        sceneTempo = (target, boundary)
        if isPast || tempo.frame(of: boundary.beat(in: bars)) <= now {
            sceneTempo = nil
            changeTempo(target, ramp: 0)
        }
    }

    private func wishRepeat(_ lane: Int) {
        guard let clip = lanes[lane].held, lanes[lane].waiting == nil, grid(of: clip) != .none else { return }
        let next = point(grid(of: clip), at: now + 1, tolerance: 0)
        lanes[lane].waiting = Waiting(wish: .launch(clip), boundary: next.boundary)
    }

    private func cut(_ lane: Int) {
        lanes[lane].waiting = nil
        lanes[lane].held = nil
        stop(lane)
    }

    // MARK: Boundaries

    private func launchPoint(_ grid: Grid, at frame: Int) -> (boundary: Boundary, isPast: Bool) {
        let origin: Boundary = if case .bars = grid { .bar(0) } else { .beat(0) }
        if !isRolling {
            let lead: Double =
                switch grid {
                case .none: 0
                case .note(let numerator, let denominator): Double(numerator) / Double(denominator)
                case .bars(let count): Double(count) * bars.latest.bar
                }
            roll(from: startsAtOnce ? 0 : -lead, at: frame)
            return (origin, false)
        }
        let frame = max(frame, rollFrame)
        if frame == rollFrame, rollBeat < 0, grid != .none { return (origin, false) }
        return point(grid, at: frame, tolerance: tolerance)
    }

    private func point(_ grid: Grid, at frame: Int, tolerance: Double) -> (boundary: Boundary, isPast: Bool) {
        let beat = tempo.beat(at: frame)
        let periods: Double
        switch grid {
        case .none: return (.beat(beat), false)
        case .note(let numerator, let denominator): periods = beat * Double(denominator) / Double(numerator)
        case .bars(let count): periods = bars.bars(at: beat) / Double(count)
        }
        let index = Int(periods.rounded(.down))
        func boundary(_ index: Int) -> Boundary {
            if case .note(let numerator, let denominator) = grid {
                return .beat(Double(index * numerator) / Double(denominator))
            }
            if case .bars(let count) = grid { return .bar(index * count) }
            return .beat(0)
        }
        let last = boundary(index)
        let lastBeat = last.beat(in: bars)
        if lastBeat >= 0 || lastBeat > rollBeat {
            if tempo.frame(of: lastBeat) >= frame { return (last, false) }
            if periods - Double(index) < tolerance { return (last, true) }
        }
        return (boundary(index + 1), false)
    }

    // MARK: Starting and stopping

    private func fire(_ lane: Int) {
        guard let waiting = lanes[lane].waiting else { return }
        lanes[lane].waiting = nil
        switch waiting.wish {
        case .stop: stop(lane)
        case .launch(let clip):
            start(clip, lane, boundary: waiting.boundary.beat(in: bars))
            wishRepeat(lane)
        }
    }

    private func start(_ index: Int, _ lane: Int, boundary: Double) {
        let clip = clips[index]
        var origin = clip.beats == nil ? tempo.exactFrame(of: boundary) : boundary
        var isFirstFrame = true
        if clip.start == .synced {
            origin = clip.beats == nil ? tempo.exactFrame(of: 0) : 0
        } else if clip.start == .legato, let outgoing = lanes[lane].playing, let length = clips[outgoing.clip].beats {
            let turns = ((boundary - outgoing.origin) / length + 1e-9).rounded(.down)
            origin = outgoing.origin + (clips[outgoing.clip].loops ? turns * length : 0)
        }
        let into: Double
        if let beats = clip.beats {
            into = (boundary - origin) / beats * clip.length
        } else {
            into = (tempo.exactFrame(of: boundary) - origin) * clip.sourceRate / rate
        }
        let wrapped = into - (into / clip.length).rounded() * clip.length
        isFirstFrame = clip.beats == nil ? abs(into) < 1e-6 : abs(wrapped) < 1e-6
        let isOnTime = tempo.frame(of: boundary) == now
        stop(lane)
        var playing = Playing(clip: index, start: now, origin: origin, take: takes.count)
        while edge(playing, turn: playing.iteration + 1) <= now { playing.iteration += 1 }
        lanes[lane].playing = playing
        takes.append(
            Take(
                clip: index, lane: lane, start: now, fadesIn: !(isOnTime && isFirstFrame), origin: origin,
                run: runs.count - 1))
        record(lane, .started(clip: index), value: position(takes[playing.take], at: now))
    }

    private func stop(_ lane: Int, byItself: Bool = false) {
        guard let playing = lanes[lane].playing else { return }
        lanes[lane].playing = nil
        takes[playing.take].stop = now
        takes[playing.take].endedByItself = byItself
        record(lane, .stopped(clip: playing.clip))
    }

    private func wrap(_ lane: Int) {
        guard var playing = lanes[lane].playing, clips[playing.clip].loops else { return }
        let before = playing.iteration
        while edge(playing, turn: playing.iteration + 1) <= now { playing.iteration += 1 }
        guard playing.iteration > before else { return }
        lanes[lane].playing = playing
        record(lane, .looped(clip: playing.clip, iteration: playing.iteration))
    }

    /// Where the clip of `take` is at `frame`, in source frames; below its length where it loops.
    func position(_ take: Take, at frame: Int) -> Double {
        let clip = clips[take.clip]
        let straight: Double
        if let beats = clip.beats {
            straight = (runs[take.run].beat(at: frame) - take.origin) / beats * clip.length
        } else {
            straight = (Double(frame) - take.origin) * clip.sourceRate / rate
        }
        if !clip.loops || straight < clip.length { return straight }
        return straight - (straight / clip.length).rounded(.down) * clip.length
    }

    // MARK: Transport

    private func roll(from beat: Double, at frame: Int) {
        bars = ReferenceBars(bars.latest)
        runs.append(ReferenceTempo(frame: frame, beat: beat, tempo: tempo.tempo(at: now), rate: rate))
        isRolling = true
        rollFrame = frame
        rollBeat = beat
        pulse = (bars.bar(at: beat + 1e-9).index, 0)
        while bars.line(pulse.bar) + Double(pulse.index) * bars.metre(ofBar: pulse.bar).pulse < beat - 1e-9 {
            advancePulse()
        }
        while pulseFrame() < now { advancePulse() }
        record(-1, .rolled, value: beat)
    }

    private func haltTransport() {
        if !isRolling { return }
        for lane in lanes.indices { cut(lane) }
        isRolling = false
        sceneTempo = nil
        record(-1, .halted)
        bars = ReferenceBars(bars.latest)
        runs.append(ReferenceTempo(frame: now, beat: 0, tempo: tempo.tempo(at: now), rate: rate))
        tempoChanges.append(now)
    }

    private func changeTempo(_ target: Double, ramp: Double) {
        if isRolling {
            runs[runs.count - 1].change(at: now, to: target, ramp: ramp)
            record(-1, .tempo(target, ramp: ramp))
        } else {
            runs.append(ReferenceTempo(frame: now, beat: 0, tempo: target, rate: rate))
            record(-1, .tempo(target, ramp: 0))
        }
        tempoChanges.append(now)
    }

    func changeRate(to rate: Double) {
        self.rate = rate
        runs[runs.count - 1].changeRate(at: now, to: rate)
    }

    private func changeMetre(_ metre: Metre) {
        guard isRolling else {
            bars = ReferenceBars(metre)
            record(-1, .metre(metre, line: 0))
            return
        }
        // The count-in keeps its metre; a line whose frame this is counts as met.
        var bar = 0
        let beat = tempo.beat(at: now)
        if beat > 0 {
            bar = bars.bar(at: beat).index
            if tempo.frame(of: bars.line(bar)) < now { bar += 1 }
        }
        bars.change(atBar: bar, to: metre)
        if beat < 0 {
            // The bars of a count-in are counted back from beat 0.
            pulse = (bars.bar(at: beat).index, 0)
            while pulseFrame() < now { advancePulse() }
        }
        record(-1, .metre(metre, line: bars.line(bar)))
    }

    private func advancePulse() {
        let isLast = pulse.index + 1 >= bars.metre(ofBar: pulse.bar).numerator
        pulse = isLast ? (pulse.bar + 1, 0) : (pulse.bar, pulse.index + 1)
    }

    private func beatPulse() {
        record(-1, .pulse(bar: pulse.bar + 1, pulse: pulse.index + 1, isAccented: pulse.index == 0))
        advancePulse()
    }

    private func record(_ lane: Int, _ kind: Happening.Kind, value: Double = 0) {
        happenings.append(Happening(now, lane: lane, kind, value: value))
    }
}
