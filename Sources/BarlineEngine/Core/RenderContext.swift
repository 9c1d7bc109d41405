import BarlineDSP
import BarlineTime

/// What the parts of the renderer use together: time, the buffers, the mixer, and how each of them is heard of.
///
/// The renderer has one and hands it to whichever source it runs. A source that changes the timeline hands the
/// ``Retiming`` to ``give(_:)``, which gives it to every other source, and then takes it itself.
struct RenderContext: ~Copyable, @unchecked Sendable {
    var timeline: Timeline
    var mixer: Mixer
    /// What inputs have given lately.
    var capture: Capture
    let scratch = RenderScratch()
    let reader = VarispeedReader()
    let link: RendererLink
    private var retirement: Retirement
    let sources: UnsafeMutablePointer<AnySource>
    let sourceCount: Int
    /// The source that runs, or −1.
    private var active = -1
    /// The earliest frame at which something is due.
    private var wakeFrame = FrameTime(rawValue: .max)

    /// Takes over `sources`, which are filled in their order.
    init(_ configuration: EngineConfiguration, link: RendererLink, sources: [AnySource]) {
        timeline = Timeline(configuration)
        mixer = Mixer(configuration, tap: link.tap, retired: link.retired)
        capture = Capture(inputCapacity: configuration.inputCapacity)
        self.link = link
        retirement = Retirement(capacity: 2 * configuration.commandCapacity)
        sourceCount = sources.count
        self.sources = .allocate(capacity: sourceCount)
        self.sources.initialize(from: sources, count: sourceCount)
    }

    deinit {
        for index in 0..<sourceCount { sources[index].deallocate() }
        sources.deallocate()
        scratch.deallocate()
    }

    // MARK: Time

    var now: FrameTime { @_noLocks get { timeline.now } }

    var sampleRate: SampleRate { @_noLocks get { timeline.sampleRate } }

    /// The length of every fade that has none of its own.
    var fadeFrames: Int64 { @_noLocks get { timeline.fadeFrames } }

    /// Gives a change of the timeline to every source but the one that runs, to the mixer, and reports it. The last
    /// source comes first: where stems lead the transport they stop before clips do.
    @_noLocks mutating func give(_ retiming: Retiming) {
        var index = sourceCount - 1
        while index >= 0 {
            if index != active { sources[index].retime(retiming, &self) }
            index -= 1
        }
        if case .sampleRate = retiming.change { mixer.changeSampleRate(to: retiming.to.sampleRate, at: now) }
        if let event = retiming.event { emit(event) }
    }

    /// Whether another source than the one that runs has something on the beats, so that they are not to be moved.
    var isGridShared: Bool {
        @_noLocks get {
            if timeline.queuedTempoFrame.rawValue != .max { return true }
            for index in 0..<sourceCount where index != active && sources[index].holdsBeats { return true }
            return false
        }
    }

    // MARK: Running

    /// Runs a phase of every source, in their order.
    @_noLocks mutating func run(_ phase: Phase) {
        for index in 0..<sourceCount {
            active = index
            sources[index].run(phase, &self)
        }
        active = -1
    }

    /// Has the source that an action is for perform it.
    @_noLocks mutating func perform(_ action: Action, at frame: FrameTime) {
        for index in 0..<sourceCount {
            active = index
            sources[index].perform(action, at: frame, &self)
        }
        active = -1
    }

    /// Asks all sources when they are to run next: the frame after now at which something is due.
    @_noLocks mutating func nextWake(before limit: FrameTime) -> FrameTime {
        wakeFrame = limit
        run(.wake)
        return wakeFrame > now ? wakeFrame : now + 1
    }

    /// Says that something is due at `frame`.
    @_noLocks mutating func wake(at frame: FrameTime) { if frame < wakeFrame { wakeFrame = frame } }

    // MARK: The control side

    /// Reports what happens now to the control side.
    @_noLocks func emit(_ kind: EngineEvent.Kind) {
        if !link.events.push(EngineEvent(frame: now, kind: kind)) {
            link.counters.pointee.droppedEvents.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// Hands content back to the control side as soon as no source reads it.
    @_noLocks mutating func retire(_ content: UnsafeRawPointer) { retirement.append(content) }

    /// Whether every part agrees with itself.
    @_noLocks func checkInvariants() -> Bool {
        for index in 0..<sourceCount where !sources[index].checkInvariants() { return false }
        return active < 0 && timeline.checkInvariants() && mixer.checkInvariants()
    }

    /// Hands back what nothing reads any more.
    @_noLocks mutating func releaseRetired() {
        var kept = 0
        for index in 0..<retirement.count {
            let content = retirement[index]
            if isRead(content) || !link.retired.push(UInt(bitPattern: content)) {
                retirement[kept] = content
                kept += 1
            }
        }
        retirement.keep(first: kept)
    }

    @_noLocks private func isRead(_ content: UnsafeRawPointer) -> Bool {
        for index in 0..<sourceCount where sources[index].isReading(content, at: now) { return true }
        return false
    }
}

/// The earlier of two frames.
@_noLocks func earlier(_ first: FrameTime, _ second: FrameTime) -> FrameTime { first < second ? first : second }
