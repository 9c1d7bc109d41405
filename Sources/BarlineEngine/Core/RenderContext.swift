import BarlineDSP
import BarlineTime

/// The resources that the parts of the renderer share: timeline, buffers, mixer, events and retirement.
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
    let link: ContextLink
    var retirement: Retirement
    /// The sources, which stand above the context and are known there: a list of ``AnySource``.
    let list: UnsafeMutableRawPointer
    let sourceCount: Int
    /// The source that runs, or −1.
    var active = -1
    /// The earliest frame at which something is due.
    var wakeFrame = FrameTime(rawValue: .max)
    /// Voices in use, as the sources that publish count them.
    var voicesInUse = 0
    /// Whether a source that publishes plays or waits for something, or the transport rolls.
    var isBusy = false

    /// A context for `sourceCount` sources at `list`, which whoever made them frees.
    init(
        _ configuration: EngineConfiguration, link: ContextLink, list: UnsafeMutableRawPointer, sourceCount: Int
    ) {
        timeline = Timeline(configuration)
        mixer = Mixer(configuration, tap: link.tap, retired: link.retired)
        capture = Capture(inputCapacity: configuration.inputCapacity)
        self.link = link
        retirement = Retirement(capacity: 2 * configuration.commandCapacity)
        self.list = list
        self.sourceCount = sourceCount
    }

    deinit { scratch.deallocate() }

    // MARK: Time

    var now: FrameTime { @_noLocks get { timeline.now } }

    var sampleRate: SampleRate { @_noLocks get { timeline.sampleRate } }

    /// The length of every fade that has none of its own.
    var fadeFrames: Int64 { @_noLocks get { timeline.fadeFrames } }

    /// Says that something is due at `frame`.
    @_noLocks mutating func wake(at frame: FrameTime) { if frame < wakeFrame { wakeFrame = frame } }

    // MARK: The control side

    /// Says, while snapshots are published, what a source does.
    @_noLocks mutating func note(voicesInUse: Int = 0, isBusy: Bool) {
        self.voicesInUse += voicesInUse
        if isBusy { self.isBusy = true }
    }

    /// Reports what happens now to the control side.
    @_noLocks func emit(_ kind: EngineEvent.Kind) {
        if !link.events.push(EngineEvent(frame: now, kind: kind)) {
            link.counters.pointee.droppedEvents.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// Hands content back to the control side as soon as no source reads it.
    @_noLocks mutating func retire(_ content: UnsafeRawPointer) { retirement.append(content) }
}
