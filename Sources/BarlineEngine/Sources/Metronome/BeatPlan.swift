import BarlineTime

/// A planned click: the pulse that it plays or subdivides, and its frame.
struct PlannedClick: BitwiseCopyable, Sendable {
    var bar: Int64
    var pulse: Int
    /// The index of the subdivision; 0 for the pulse itself.
    var subdivision: Int
    var beat = Beat(rawValue: 0)
    var frame = FrameTime.never
    var kind = AccentPattern.Pulse.beat

    @_noLocks init(bar: Int64, pulse: Int, subdivision: Int) {
        self.bar = bar
        self.pulse = pulse
        self.subdivision = subdivision
    }

    var isPulse: Bool { @_noLocks get { subdivision == 0 } }

    var isAccented: Bool {
        @_noLocks get {
            if case .accent = kind { return true }
            return false
        }
    }
}

/// The rolling look-ahead of the metronome: the clicks of the next sixteen beats, and the previous sixteen beats.
struct BeatPlan: ~Copyable, @unchecked Sendable {
    /// The number of beats planned ahead, and of past ones kept.
    static var beatCount: Int { @_noLocks get { 16 } }

    private static var capacity: Int { @_noLocks get { 128 } }

    private let clicks: UnsafeMutablePointer<PlannedClick>
    private var head = 0
    private var count = 0
    private(set) var pulseCount = 0
    private let recent: UnsafeMutablePointer<PlannedClick>
    private var recentEnd = 0

    init() {
        clicks = .allocate(capacity: BeatPlan.capacity)
        recent = .allocate(capacity: BeatPlan.beatCount)
    }

    deinit {
        clicks.deallocate()
        recent.deallocate()
    }

    var isEmpty: Bool { @_noLocks get { count == 0 } }

    /// Whether sixteen beats are planned, with all clicks before the last of them.
    var isFull: Bool { @_noLocks get { pulseCount >= BeatPlan.beatCount } }

    /// The frame of the next click, or the end of time.
    var nextFrame: FrameTime { @_noLocks get { count == 0 ? .never : clicks[head].frame } }

    var last: PlannedClick { @_noLocks get { clicks[(head + count - 1) % BeatPlan.capacity] } }

    /// The number of past pulses kept, at most ``beatCount``.
    var recentCount: Int { @_noLocks get { recentEnd < BeatPlan.beatCount ? recentEnd : BeatPlan.beatCount } }

    @_noLocks func click(_ index: Int) -> PlannedClick { clicks[(head + index) % BeatPlan.capacity] }

    /// The past pulse at `index`, the latest one last.
    @_noLocks func recentPulse(_ index: Int) -> PlannedClick {
        recent[(recentEnd - recentCount + index) % BeatPlan.beatCount]
    }

    var clickCount: Int { @_noLocks get { count } }

    @_noLocks mutating func append(_ click: PlannedClick) {
        assert(count < BeatPlan.capacity, "what is planned has room: sixteen beats of so many clicks")
        clicks[(head + count) % BeatPlan.capacity] = click
        count += 1
        if click.isPulse { pulseCount += 1 }
    }

    @_noLocks mutating func removeNext() -> PlannedClick {
        let click = clicks[head]
        head = (head + 1) % BeatPlan.capacity
        count -= 1
        if click.isPulse {
            pulseCount -= 1
            recent[recentEnd % BeatPlan.beatCount] = click
            recentEnd += 1
        }
        return click
    }

    /// Whether the invariants hold: clicks are in order, and pulses are counted correctly. O(clicks).
    @_noLocks func checkInvariants() -> Bool {
        if head < 0 || head >= BeatPlan.capacity || count < 0 || count > BeatPlan.capacity { return false }
        var pulses = 0
        for index in 0..<count {
            if click(index).isPulse { pulses += 1 }
            if index > 0, click(index).beat <= click(index - 1).beat { return false }
        }
        return pulses == pulseCount
    }

    /// Discards the planned clicks; past pulses are kept.
    @_noLocks mutating func removeAll() {
        head = 0
        count = 0
        pulseCount = 0
    }

    /// Discards past pulses too, when the transport stops.
    @_noLocks mutating func reset() {
        removeAll()
        recentEnd = 0
    }
}
