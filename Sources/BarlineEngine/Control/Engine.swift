import BarlineDSP
import BarlineTime

/// A sample-accurate playback engine: clips launched on a grid, mixed on tracks and buses.
///
/// An output calls ``render(_:)`` from its callback, one block after the other; everything else may be called from
/// any number of other threads at once. What they ask for travels to the audio thread as frame-stamped commands;
/// what happens there comes back as frame-stamped events and as a state that can be read at any time.
///
/// ```swift
/// let engine = Engine(EngineConfiguration(tempo: Tempo(clamping: 126)))
/// let clip = try engine.launcher.load(buffer, settings: ClipSettings(track: 0, beats: 16))
/// try engine.launcher.launch(clip)
/// engine.mixer[.track(0)].gain = -6
/// ```
///
/// What it is asked to do is grouped by its parts: ``transport``, ``launcher``, ``metronome``, ``stems``, ``playlist``,
/// ``sampler`` and ``mixer``; what happens is reported by ``events``. Their properties are what was asked for last; setting one sends it for the next block. Their methods
/// take the frame at which they take effect, and throw.
public final class Engine: @unchecked Sendable {
    /// What the engine was made for.
    public let configuration: EngineConfiguration

    let link: EngineLink
    private let renderer: UnsafeMutablePointer<Renderer>
    let control: ControlLock<ControlState>
    let hub: EventHub
    /// Is noted whenever something is sent: wakes those who look at the engine seldom while it is at rest.
    package let activity = Activity()

    /// The control side's state, behind the lock.
    struct ControlState {
        var sent = 0
        var clips: [Int: PreparedClip] = [:]
        /// What the launcher keeps the pitch of clips with, once there are such.
        var stretching: PreparedStretching?
        var clicks: PreparedClicks
        var settings: ControlSettings
        /// Changes by setting a property that there was no room for.
        var omitted = 0
        /// What the audio thread has not retired yet, by its address.
        var replaced: [UInt: AnyObject] = [:]
        var stemSets: [UInt: StemSet] = [:]
        var freeHandles: [Int] = []
        var nextHandle = 0
        /// How many callers hold commands back, and what is held back.
        var holds = 0
        var held: [Command] = []
        /// What handles keep that the engine does not know of.
        var parts = ControlParts()
        var inputs: [Int: PreparedInput] = [:]
        /// The layers of clips that were lent to the audio thread, by their addresses in ``replaced``; what is not there any more is over.
        var layers: [Int: [UInt]] = [:]
        var nextLayer = 0
        var effects: [EffectHandle: LiveEffect] = [:]
        var nextEffect = 0

        /// Whether what is held back is held back by somebody, and no handle is free and in use.
        func checkInvariants() -> Bool {
            holds >= 0 && (holds > 0 || held.isEmpty) && held.count <= sent
                && freeHandles.allSatisfy { $0 >= 0 && $0 < nextHandle && clips[$0] == nil }
        }
    }

    /// Makes an engine. All memory that its audio thread will use is allocated here.
    public init(_ configuration: EngineConfiguration = EngineConfiguration()) {
        self.configuration = configuration
        let clicks = PreparedClicks(ClickSounds(), sampleRate: configuration.sampleRate)
        link = EngineLink(configuration, clicks: clicks.content)
        hub = EventHub(link, activity, delivery: configuration.eventDelivery)
        renderer = .allocate(capacity: 1)
        renderer.initialize(to: Renderer(configuration, link: link.renderer))
        control = ControlLock(ControlState(clicks: clicks, settings: ControlSettings(configuration)))
        renderer.pointee.publish()
    }

    deinit {
        hub.close()
        renderer.deinitialize(count: 1)
        renderer.deallocate()
        link.deallocate()
    }

    // MARK: Rendering

    /// Renders the next frames into `block`. For one thread at a time: the output's callback, or an offline renderer.
    public func render(_ block: AudioBlock) { renderer.pointee.render(block) }

    /// An entry for C callbacks: the engine as an opaque pointer, which does not keep it alive.
    public var realtimeHandle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(renderer) }

    /// Renders through a ``realtimeHandle``, without touching the engine's reference count.
    public static func render(_ handle: UnsafeMutableRawPointer, _ block: AudioBlock) {
        RealtimeEngine.render(handle, block)
    }

    /// Sets the rate of the device, from the next block on. Beat and phase are kept.
    public func setSampleRate(_ sampleRate: SampleRate) {
        link.counters.pointee.outputRate.store(sampleRate.hertz.bitPattern, ordering: .relaxed)
        link.counters.pointee.deviceRate.store(sampleRate.hertz.bitPattern, ordering: .releasing)
    }

    /// How many frames later the outputs have what was rendered: 0 without ``EngineConfiguration/limiter``. Frames of
    /// events, of the state and of the tap are those of the rendering.
    public var outputLatency: Int {
        guard configuration.limiter != nil else { return 0 }
        let hertz = Double(bitPattern: link.counters.pointee.outputRate.load(ordering: .relaxed))
        return Limiter.latency(at: SampleRate(unchecked: hertz))
    }

    /// Fades the outputs in from the next block on, after a device was away and cut the sound off.
    public func rejoin() { link.counters.pointee.hasRejoined.store(true, ordering: .releasing) }

    // MARK: State and events

    /// Whether nothing plays, rings on or was asked for: then nothing happens until something is sent, which
    /// ``activity`` notes.
    package var isAtRest: Bool { link.isAtRest }

    /// The first frame that is not rendered yet.
    public var now: FrameTime { playlist.state.frame }

    /// The rate of the timeline.
    public var sampleRate: SampleRate { playlist.state.sampleRate }

    /// The state at the end of the last block.
    ///
    /// - Complexity: O(*n*) in the tracks, stems and buses.
    public var state: EngineState {
        EngineState(link.snapshots, configuration)
    }

    /// The meter of `channel`; at rest where there is no such channel.
    func meter(of channel: Channel) -> MeterReading {
        guard let index = try? index(of: channel) else { return .silence }
        return link.board.read(link.places[ChannelSnapshot.self], index).meter
    }

    /// Events lost because no reader, and no thread, took them in time. What single readers have lost they count
    /// themselves.
    public var droppedEventCount: Int { link.counters.pointee.droppedEvents.load(ordering: .relaxed) }

    /// Changes by setting a property, as ``Transport/tempo`` or ``Strip/gain``, that were left out: there was no room for
    /// them (``EngineConfiguration/commandCapacity``), or the value was out of its range. The methods of the same names throw.
    public var omittedChangeCount: Int { control.withLock { $0.omitted } }

    /// Frames of the main bus since the last call, up to `frames`; returns how many. For one thread at a time.
    /// Always 0 where ``EngineConfiguration/tapFrames`` is 0.
    public func readTap(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int
    ) -> Int {
        link.tap?.read(left: left, right: right, frames: frames) ?? 0
    }

    /// The frame of what ``readTap(left:right:frames:)`` gives next. What did not fit into the tap, because nobody read, is
    /// passed over in it.
    public var tapFrame: FrameTime { FrameTime(Int64(link.tap?.readPosition ?? 0)) }
}
