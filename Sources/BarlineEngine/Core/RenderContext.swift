import BarlineDSP
import BarlineTime
import CRealtime

/// The resources shared by the parts of the renderer: timeline, buffers, mixer, events and retirement.
///
/// The renderer owns the only one and passes it to the source that runs. A source that changes the timeline passes the
/// ``Retiming`` to ``propagate(_:)``, which passes it to every other source, and then applies it itself. The sources
/// are above this layer; ``others`` is how it reaches them.
struct RenderContext: ~Copyable, @unchecked Sendable {
    var timeline: Timeline
    var mixer: Mixer
    /// The latest frames of the inputs.
    var capture: Capture
    let scratch = RenderScratch()
    let reader: VarispeedReader
    let link: ContextLink
    var retirement: Retirement
    /// Type-erased list of `AnySource`, which is declared above this layer.
    let list: UnsafeMutableRawPointer
    /// Has every source of the list except the one that runs answer a ``SourceRequest``, in reverse order, and returns
    /// the sum of the answers.
    let others: UnsafePointer<rt_request_handler>
    let sourceCount: Int
    /// The index of the source that runs, or −1.
    var active = -1
    /// The earliest due frame.
    var wakeFrame = FrameTime.never
    /// The number of voices in use, reported by the sources as they publish.
    var voicesInUse = 0
    /// Whether a source reported itself as busy (playing or waiting) as it published.
    var isBusy = false

    /// Creates a context for `sourceCount` sources at `list`, which are reached through `others`; the caller frees
    /// both.
    init(
        _ configuration: EngineConfiguration, link: ContextLink, list: UnsafeMutableRawPointer, sourceCount: Int,
        others: UnsafePointer<rt_request_handler>
    ) {
        timeline = Timeline(configuration)
        mixer = Mixer(configuration, link.layout, tap: link.tap, retired: link.retired)
        reader = VarispeedReader(quality: configuration.varispeed)
        capture = Capture(inputCapacity: configuration.inputCapacity)
        self.link = link
        retirement = Retirement(capacity: 2 * configuration.commandCapacity)
        self.list = list
        self.others = others
        self.sourceCount = sourceCount
    }

    deinit { scratch.deallocate() }

    // MARK: Time

    var now: FrameTime { @_noLocks get { timeline.now } }

    var sampleRate: SampleRate { @_noLocks get { timeline.sampleRate } }

    /// The length of every fade that does not specify one.
    var fadeFrames: Int64 { @_noLocks get { timeline.fadeFrames } }

    /// Reports that something is due at `frame`.
    @_noLocks mutating func wake(at frame: FrameTime) { if frame < wakeFrame { wakeFrame = frame } }

    // MARK: The other sources

    /// Passes a change of the timeline to every source except the one that runs, and to the mixer, and reports it.
    /// Sources receive it in reverse order: where stems lead the transport they stop before clips do.
    @_noLocks mutating func propagate(_ retiming: Retiming) {
        _ = askSources(.retime(retiming))
        if case .sampleRate = retiming.change { mixer.changeSampleRate(to: retiming.to.sampleRate, at: now) }
        if let event = retiming.event { emit(event) }
    }

    /// Whether a source other than the one that runs has something on the beats, so that they must not be moved.
    var isGridShared: Bool {
        @_noLocks mutating get { timeline.hasQueuedTempo || askSources(.holdsBeats) != 0 }
    }

    @_noLocks private mutating func askSources(_ request: SourceRequest) -> Int {
        withUnsafeMutablePointer(to: &self) { RenderContext.ask($0, request) }
    }

    @_noLocks private static func ask(
        _ context: UnsafeMutablePointer<RenderContext>, _ request: SourceRequest
    ) -> Int {
        var request = request
        return rt_ask(context.pointee.others, context, &request)
    }

    // MARK: The control side

    /// Reports a source's activity while snapshots are published.
    @_noLocks mutating func note(voicesInUse: Int = 0, isBusy: Bool) {
        self.voicesInUse += voicesInUse
        if isBusy { self.isBusy = true }
    }

    /// Sends an event of the current frame to the control side.
    @_noLocks func emit(_ kind: EngineEvent.Kind) {
        if !link.events.push(EngineEvent(frame: now, kind: kind)) {
            link.counters.pointee.droppedEvents.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// Returns content to the control side as soon as no source reads it.
    @_noLocks mutating func retire(_ content: UnsafeRawPointer) { retirement.append(content) }
}
