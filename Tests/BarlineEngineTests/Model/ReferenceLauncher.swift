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

    enum Request: Hashable {
        case launch(Int)
        case stop
    }

    struct Waiting {
        var request: Request
        var boundary: Boundary
    }

    struct Lane {
        var playing: Playing?
        var waiting: Waiting?
        var held: Int?
        /// What comes in before its boundary, of ``leads``.
        var coming: Int?
    }

    /// What sounded on a track from one start to the stop after it.
    struct Take {
        var clip: Int
        var lane: Int
        var start: Int
        var stop: Int?
        var endedByItself = false
        var envelope: Envelope
        var origin: Double
        /// Which of ``runs`` the origin belongs to.
        var run: Int
    }

    let clips: [ClipPlan]
    var rate: Double
    var now = 0
    var happenings: [Happening] = []
    var takes: [Take] = []
    var leads: [LeadIn] = []
    /// The tempo of every time the transport rolled, and the one in force.
    var runs: [ReferenceTempo]
    var lanes: [Lane]
    var isRolling = false
    var bars: ReferenceBars
    var tempoChanges: [Int] = []

    var grid: Grid
    var tolerance: Double
    let startsAtOnce: Bool
    var rollFrame = 0
    var rollBeat = 0.0
    var sceneTempo: (tempo: Double, boundary: Boundary)?
    var pulse = (bar: 0, index: 0)
    var commands: [(frame: Int, step: Step)] = []

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

    func edge(_ playing: Playing, cycle: Int) -> Int {
        let clip = clips[playing.clip]
        if let beats = clip.beats { return tempo.frame(of: playing.origin + Double(cycle) * beats) }
        return ReferenceTempo.nearest(playing.origin + Double(cycle) * clip.length * rate / clip.sourceRate)
    }

    func end(_ playing: Playing) -> Int? {
        clips[playing.clip].loops ? nil : max(edge(playing, cycle: 1), playing.start + 1)
    }

    func pulseFrame() -> Int {
        tempo.frame(of: bars.line(pulse.bar) + Double(pulse.index) * bars.metre(ofBar: pulse.bar).pulse)
    }

    func nextDue() -> Int? {
        var due = commands.map(\.frame)
        for index in lanes.indices where lanes[index].coming == nil {
            if let start = leadInStart(index), start > now { due.append(start) }
        }
        for lane in lanes {
            if let waiting = lane.waiting { due.append(frame(of: waiting)) }
            if let playing = lane.playing {
                due.append(end(playing) ?? edge(playing, cycle: playing.iteration + 1))
            }
        }
        if isRolling {
            due.append(pulseFrame())
            if let sceneTempo { due.append(tempo.frame(of: sceneTempo.boundary.beat(in: bars))) }
        }
        return due.min()
    }

    func handle() {
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
        for lane in lanes.indices { leadIn(lane) }
        for lane in lanes.indices { wrap(lane) }
        while isRolling, pulseFrame() <= now { beatPulse() }
    }

    // MARK: Commands

    func perform(_ step: Step, at frame: Int) {
        switch step {
        case .launch(let clip): press(clip, at: frame)
        case .release(let clip): release(clip, at: frame)
        case .scene(let row, let stopping, let tempo):
            for lane in stopping { queueStop(lane, at: frame) }
            if let tempo { queueTempo(tempo, at: frame) }
            for clip in row { press(clip, at: frame) }
        case .stop(let lane): queueStop(lane, at: frame)
        case .stopNow(let lane): cut(lane)
        case .stopAll: for lane in lanes.indices { queueStop(lane, at: frame) }
        case .stopAllNow: for lane in lanes.indices { cut(lane) }
        case .tempo(let tempo, let ramp): changeTempo(tempo, ramp: ramp)
        case .metre(let metre): changeMetre(metre)
        case .grid(let value): grid = value
        case .tolerance(let value): tolerance = value
        case .startTransport: if !isRolling { roll(from: 0, at: frame) }
        case .stopTransport: haltTransport()
        }
    }

    func grid(of clip: Int) -> Grid { clips[clip].grid ?? grid }

    func press(_ clip: Int, at frame: Int) {
        let lane = clips[clip].track
        let isQueued = lanes[lane].waiting?.request == .launch(clip)
        let plays = lanes[lane].playing?.clip == clip
        if clips[clip].mode == .toggle, isQueued || (plays && lanes[lane].waiting == nil) {
            queueStop(lane, at: frame)
            return
        }
        queueLaunch(clip, at: frame)
        if clips[clip].mode == .repeat {
            lanes[lane].held = clip
            queueRepeat(lane)
        }
    }

    func release(_ clip: Int, at frame: Int) {
        let lane = clips[clip].track
        let isQueued = lanes[lane].waiting?.request == .launch(clip)
        let plays = lanes[lane].playing?.clip == clip
        if clips[clip].mode == .gate, isQueued || plays { queueStop(lane, at: frame) }
        if clips[clip].mode == .repeat, lanes[lane].held == clip {
            lanes[lane].held = nil
            if isQueued, plays { lanes[lane].waiting = nil }
        }
    }

    func queueLaunch(_ clip: Int, at frame: Int) {
        let lane = clips[clip].track
        lanes[lane].held = nil
        let (boundary, isPast) = launchPoint(grid(of: clip), at: frame)
        lanes[lane].waiting = Waiting(request: .launch(clip), boundary: boundary)
        if isPast || tempo.frame(of: boundary.beat(in: bars)) <= now { fire(lane) }
    }

    func queueStop(_ lane: Int, at frame: Int) {
        lanes[lane].waiting = nil
        lanes[lane].held = nil
        guard let playing = lanes[lane].playing else { return }
        let (boundary, isPast) = point(grid(of: playing.clip), at: max(frame, rollFrame), tolerance: tolerance)
        if isPast || tempo.frame(of: boundary.beat(in: bars)) <= now {
            stop(lane)
        } else {
            lanes[lane].waiting = Waiting(request: .stop, boundary: boundary)
        }
    }

    func queueTempo(_ target: Double, at frame: Int) {
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

    func queueRepeat(_ lane: Int) {
        guard let clip = lanes[lane].held, lanes[lane].waiting == nil, grid(of: clip) != .none else { return }
        let next = point(grid(of: clip), at: now + 1, tolerance: 0)
        lanes[lane].waiting = Waiting(request: .launch(clip), boundary: next.boundary)
    }

    func cut(_ lane: Int) {
        lanes[lane].waiting = nil
        lanes[lane].held = nil
        stop(lane)
    }

    // MARK: Boundaries

    func launchPoint(_ grid: Grid, at frame: Int) -> (boundary: Boundary, isPast: Bool) {
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

    func point(_ grid: Grid, at frame: Int, tolerance: Double) -> (boundary: Boundary, isPast: Bool) {
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
            // What is at the tolerance but for rounding errors is not below it.
            if periods - Double(index) < tolerance - 1e-9 { return (last, true) }
        }
        return (boundary(index + 1), false)
    }

    // MARK: Starting and stopping

    func fire(_ lane: Int) {
        guard let waiting = lanes[lane].waiting else { return }
        lanes[lane].waiting = nil
        switch waiting.request {
        case .stop: stop(lane)
        case .launch(let clip):
            start(clip, lane, boundary: waiting.boundary.beat(in: bars))
            queueRepeat(lane)
        }
    }

    func start(_ index: Int, _ lane: Int, boundary: Double) {
        let (origin, isFirstFrame) = origin(of: index, lane, boundary: boundary)
        let envelope = fadeIn(
            index, lane, origin: origin, isFirstFrame: isFirstFrame, isOnTime: tempo.frame(of: boundary) == now)
        stop(lane)
        var playing = Playing(clip: index, start: now, origin: origin, take: takes.count)
        while edge(playing, cycle: playing.iteration + 1) <= now { playing.iteration += 1 }
        lanes[lane].playing = playing
        takes.append(
            Take(
                clip: index, lane: lane, start: now, envelope: envelope, origin: origin,
                run: runs.count - 1))
        record(lane, .started(clip: index), value: position(takes[playing.take], at: now))
    }

    func stop(_ lane: Int, byItself: Bool = false) {
        guard let playing = lanes[lane].playing else { return }
        lanes[lane].playing = nil
        takes[playing.take].stop = now
        takes[playing.take].endedByItself = byItself
        record(lane, .stopped(clip: playing.clip))
    }

    func wrap(_ lane: Int) {
        guard var playing = lanes[lane].playing, clips[playing.clip].loops else { return }
        let before = playing.iteration
        while edge(playing, cycle: playing.iteration + 1) <= now { playing.iteration += 1 }
        guard playing.iteration > before else { return }
        lanes[lane].playing = playing
        record(lane, .looped(clip: playing.clip, iteration: playing.iteration))
    }

    /// Where the clip of `take` is at `frame`, in source frames; below its length where it loops.
    func position(_ take: Take, at frame: Int) -> Double { position(take.clip, take.origin, take.run, at: frame) }

    func position(_ index: Int, _ origin: Double, _ run: Int, at frame: Int) -> Double {
        let clip = clips[index]
        let straight: Double
        if clip.beats != nil {
            straight = clip.position(atBeat: runs[run].beat(at: frame) - origin)
        } else {
            straight = (Double(frame) - origin) * clip.sourceRate / rate
        }
        if !clip.loops || straight < clip.length { return straight }
        return straight - (straight / clip.length).rounded(.down) * clip.length
    }
}
