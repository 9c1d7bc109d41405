import BarlineDSP
import BarlineTime

/// A sample-accurate playback engine: clips launched on a grid, mixed on tracks and buses.
///
/// An output calls ``render(_:)`` from its callback, one block after the other; everything else may be called from any
/// number of other threads at once. Their requests travel to the audio thread as frame-stamped commands; what happens
/// there comes back as frame-stamped events and as a state that can be read at any time.
///
/// ```swift
/// let engine = Engine(EngineConfiguration(tempo: Tempo(clamping: 126)))
/// let clip = try engine.launcher.load(buffer, settings: ClipSettings(track: 0, beats: 16))
/// try engine.launcher.launch(clip)
/// engine.mixer[.track(0)].gain = -6
/// ```
///
/// Requests are grouped by the engine's parts: ``transport``, ``launcher``, ``metronome``, ``stems``, ``playlist``,
/// ``sampler``, ``inputs`` and ``mixer``; ``events`` reports what happens. A part's properties read as the latest
/// requested value; setting one sends it for the next block. Its methods take the moment at which they take effect, and
/// throw.
public final class Engine: @unchecked Sendable {
    /// The configuration that the engine was created with.
    public let configuration: EngineConfiguration

    let link: EngineLink
    private let renderer: UnsafeMutablePointer<Renderer>
    let control: ControlLock<ControlState>
    let hub: EventHub
    /// Signalled on every send: wakes threads that poll the engine rarely while it is idle.
    package let activity = Activity()

    /// An effect that is in the mixer.
    struct LiveEffect {
        let chain: Int
        let kind: EffectKind
        let prepared: PreparedEffect
    }

    /// The control side's state, behind the lock.
    struct ControlState {
        var sent = 0
        var clips: [Int: PreparedClip] = [:]
        /// What the launcher keeps the pitch of clips with; created with the first such clip.
        var stretching: PreparedStretching?
        /// The number of tracks up to the last one that clips were loaded for.
        var clipTrackCount = 0
        var clicks: PreparedClicks
        var settings: ControlSettings
        /// The number of property changes dropped because there was no room for them.
        var omitted = 0
        /// Objects that the audio thread has not retired yet, by their addresses.
        var replaced: [UInt: AnyObject] = [:]
        var stemSets: [UInt: StemSet] = [:]
        /// The handles of clips that were unloaded, in that order.
        var freeHandles: [Int] = []
        var nextHandle = 0
        let clipCapacity: Int
        /// The number of callers that hold commands back, and the held commands.
        var holds = 0
        var held: [Command] = []
        /// State of the handles, which the engine does not know.
        var parts = ControlParts()
        var inputs: [Int: PreparedInput] = [:]
        /// The signals that inputs have had, which the audio thread may read for as long as there is an engine.
        var signals: [PreparedSignal] = []
        /// The layers preallocated for clips, by their addresses in ``replaced``; those no longer in there are retired.
        var layers: [Int: [UInt]] = [:]
        var nextLayer = 0
        var effects: [EffectHandle: LiveEffect] = [:]
        var nextEffect = 0

        /// The handle of the next clip. One that was never used comes first, and then the one that was freed longest
        /// ago: commands that wait may still name it.
        var freeHandle: (handle: Int, isReused: Bool)? {
            if nextHandle < clipCapacity { return (nextHandle, false) }
            return freeHandles.first.map { ($0, true) }
        }

        mutating func take(_ free: (handle: Int, isReused: Bool)) {
            if free.isReused { freeHandles.removeFirst() } else { nextHandle += 1 }
        }

        /// Whether the invariants hold: commands are held only on behalf of a caller, and no handle is both free and in
        /// use.
        func checkInvariants() -> Bool {
            holds >= 0 && (holds > 0 || held.isEmpty) && held.count <= sent
                && freeHandles.allSatisfy { $0 >= 0 && $0 < nextHandle && clips[$0] == nil }
        }
    }

    /// Creates an engine. All memory that its audio thread will use is allocated here.
    ///
    /// - Complexity: O(*n*) in the room that the configuration asks for.
    public init(_ configuration: EngineConfiguration = EngineConfiguration()) {
        let configuration = configuration.inRange
        self.configuration = configuration
        let clicks = PreparedClicks(ClickSounds(), sampleRate: configuration.sampleRate)
        link = EngineLink(configuration, clicks: clicks.content)
        hub = EventHub(link, activity, delivery: configuration.eventDelivery)
        renderer = .allocate(capacity: 1)
        renderer.initialize(to: Renderer(configuration, link: link.renderer))
        control = ControlLock(
            ControlState(
                clicks: clicks, settings: ControlSettings(configuration), clipCapacity: configuration.clipCapacity))
        renderer.pointee.publish()
    }

    deinit {
        hub.close()
        renderer.deinitialize(count: 1)
        renderer.deallocate()
        link.deallocate()
    }

    // MARK: Rendering

    /// Renders the next frames into `block`. Used by one thread at a time: the output's callback, or an offline
    /// renderer.
    ///
    /// - Complexity: O(*n*) in the frames, the voices and the commands that take effect.
    public func render(_ block: AudioBlock) { renderer.pointee.render(block) }

    /// Renders the next `frames` frames into `buffer`, from its first frame on. Used by one thread at a time.
    ///
    /// - Complexity: O(*n*) in the frames.
    public func render(into buffer: RenderBuffer, frames: Int) {
        withExtendedLifetime(buffer) { render(buffer.block(frames: frames)) }
    }

    /// An entry point for C callbacks: the engine as an opaque pointer, which does not keep it alive.
    public var realtimeHandle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(renderer) }

    /// Renders through a ``realtimeHandle``, without touching the engine's reference count.
    ///
    /// - Complexity: O(*n*) in the frames, the voices and the commands that take effect.
    public static func render(_ handle: UnsafeMutableRawPointer, _ block: AudioBlock) {
        RealtimeEngine.render(handle, block)
    }

    /// Sets the sample rate of the device, from the next block on. Beat and phase are kept.
    public func setSampleRate(_ sampleRate: SampleRate) {
        link.counters.pointee.outputRate.store(sampleRate.hertz.bitPattern, ordering: .relaxed)
        link.counters.pointee.deviceRate.store(sampleRate.hertz.bitPattern, ordering: .releasing)
    }

    /// The delay from rendering to output, in frames: 0 without ``EngineConfiguration/limiter``. Frames in events, in
    /// the state and in the tap are rendered frames.
    public var outputLatency: Int {
        guard configuration.limiter != nil else { return 0 }
        let hertz = Double(bitPattern: link.counters.pointee.outputRate.load(ordering: .relaxed))
        return Limiter.latency(at: SampleRate(unchecked: hertz))
    }

    /// Fades the outputs in from the next block on, after a device was lost and the sound was cut off.
    package func rejoin() { link.counters.pointee.hasRejoined.store(true, ordering: .releasing) }

    // MARK: State and events

    /// Whether the engine is idle: nothing plays, rings out or is pending. It stays so until something is sent, which
    /// ``activity`` signals.
    package var isAtRest: Bool { link.isAtRest }

    /// Whether nothing plays, rings out or is pending, the metronome and the transport's rolling apart. Fades of what
    /// was streamed, and what the limiter delays, may still follow.
    package var isSilent: Bool { link.isSilent }

    /// The next frame to render.
    public var now: FrameTime { timeline.frame }

    /// The number of frames of the last block, 0 before the first one.
    package var blockFrames: Int { lastBlock.blockFrames }

    /// The first frame that can still be heard in time of what is asked for at `time`: a block after the one that the
    /// output requests then, whenever in a block that is. A clock that has run on without the output is not followed
    /// for more than half a second.
    package func earliestFrame(at time: HostTime) -> FrameTime {
        let block = lastBlock
        if !block.hasHostClock { return block.frame }
        // The filtered clock takes seconds to catch up with a device that has stood still.
        let error = block.hostClock.time(of: block.lastFrame) - block.lastTime
        let isSteady = abs(error) < Engine.largestJitter
        let requested =
            isSteady
            ? block.hostClock.exactFrame(at: time)
            : Double(block.lastFrame.rawValue) + (time - block.lastTime) * sampleRate.hertz
        let exact = requested + Double(block.blockFrames)
        let latest = block.frame + sampleRate.frames(seconds: 0.5)
        return exact < Double(latest.rawValue) ? max(block.frame, FrameTime(Int64(exact.rounded()))) : latest
    }

    /// The largest deviation of a block's time from the filtered clock, in seconds, that is taken for jitter.
    private static let largestJitter = 0.03

    private var lastBlock: Renderer.Snapshot { link.board.read(link.places[Renderer.Snapshot.self]) }

    /// The sample rate of the timeline.
    public var sampleRate: SampleRate { timeline.sampleRate }

    /// The timeline at the end of the last block.
    private var timeline: Timeline.Snapshot { link.board.read(link.places[Timeline.Snapshot.self]) }

    /// The state at the end of the last block.
    ///
    /// - Complexity: O(*n*) in the tracks, stems and buses.
    public var state: EngineState {
        EngineState(link.snapshots, configuration)
    }

    /// The meter of `channel`; silence if there is no such channel.
    func meter(of channel: Channel) -> MeterReading {
        guard let index = try? index(of: channel) else { return .silence }
        return link.board.read(link.places[ChannelSnapshot.self], index).meter
    }

    /// The number of events lost because no reader, and no thread, took them in time. Losses of a single reader are
    /// counted by the reader.
    public var droppedEventCount: Int { link.counters.pointee.droppedEvents.load(ordering: .relaxed) }

    /// The number of property changes, such as to ``Transport/tempo`` or ``Strip/gain``, that were dropped: there was
    /// no room for them (``EngineConfiguration/commandCapacity``), or the value was out of range. The methods of the
    /// same names throw.
    public var omittedChangeCount: Int { control.withLock { $0.omitted } }

    /// Reads the frames of the main bus since the last call, up to `frames`; returns how many. Used by one thread at a
    /// time. Always 0 if ``EngineConfiguration/tapFrames`` is 0.
    ///
    /// - Complexity: O(*n*) in the frames.
    public func readTap(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int
    ) -> Int {
        link.tap?.read(left: left, right: right, frames: frames) ?? 0
    }

    /// The first frame that ``readTap(left:right:frames:)`` returns next. Frames that did not fit into the tap, because
    /// nobody read it, are skipped.
    public var tapFrame: FrameTime { FrameTime(Int64(link.tap?.readPosition ?? 0)) }
}
