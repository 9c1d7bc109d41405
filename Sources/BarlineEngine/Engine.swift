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
/// let clip = try engine.load(buffer, settings: ClipSettings(track: TrackIndex(0), beats: 16))
/// try engine.launch(clip)
/// ```
public final class Engine: @unchecked Sendable {
    /// What the engine was made for.
    public let configuration: EngineConfiguration

    let link: EngineLink
    private let renderer: UnsafeMutablePointer<Renderer>
    let control: ControlLock<ControlState>
    private let eventReader = ControlLock<Void>(())

    struct ControlState {
        var sent = 0
        var clips: [Int: PreparedClip] = [:]
        var clicks: PreparedClicks
        /// What the audio thread has not handed back yet, by its address.
        var replaced: [UInt: AnyObject] = [:]
        var stemSets: [UInt: StemSet] = [:]
        var freeHandles: [Int] = []
        var nextHandle = 0
        /// How many callers hold commands back, and what is held back.
        var holds = 0
        var held: [Command] = []
    }

    /// Makes an engine. All memory that its audio thread will use is allocated here.
    public init(_ configuration: EngineConfiguration = EngineConfiguration()) {
        self.configuration = configuration
        link = EngineLink(configuration)
        renderer = .allocate(capacity: 1)
        let clicks = PreparedClicks(ClickSounds(), sampleRate: configuration.sampleRate)
        renderer.initialize(to: Renderer(configuration, link: link, clicks: clicks.content))
        control = ControlLock(ControlState(clicks: clicks))
        renderer.pointee.publish()
    }

    deinit {
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
        handle.assumingMemoryBound(to: Renderer.self).pointee.render(block)
    }

    /// Tells the engine that the device runs at another rate from the next block on. Beat and phase are kept.
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

    /// The state at the end of the last block.
    public var state: EngineState {
        EngineState(words: link.board.read(), configuration)
    }

    /// What the playlist does, at the end of the last block. Cheaper than the whole ``state``.
    public var playlistState: EngineState.Playlist {
        EngineState.Playlist(words: link.board.read(count: StateLayout.header))
    }

    /// Takes the events that have happened since the last call, in order.
    public func takeEvents() -> [EngineEvent] {
        eventReader.withLock { _ in
            var events: [EngineEvent] = []
            while let event = link.events.pop() { events.append(event) }
            return events
        }
    }

    /// Events lost because nobody took them in time.
    public var droppedEventCount: Int { link.counters.pointee.droppedEvents.load(ordering: .relaxed) }

    /// Frames of the main bus since the last call, up to `frames`; returns how many. For one thread at a time.
    /// Always 0 where ``EngineConfiguration/tapFrames`` is 0.
    public func readTap(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int
    ) -> Int {
        link.tap?.read(left: left, right: right, frames: frames) ?? 0
    }

    // MARK: Clips

    /// Loads a clip, to be launched from now on. What it needs is prepared here, off the audio thread.
    ///
    /// - Throws: ``EngineError/clipTableFull(capacity:)``, ``EngineError/invalidRegion(_:frameCount:)``,
    ///   ``EngineError/invalidBeats(_:)``, ``EngineError/invalidValue(name:value:)``,
    ///   ``EngineError/unknownTrack(_:count:)`` or ``EngineError/busy(capacity:)``.
    public func load(_ buffer: SampleBuffer, settings: ClipSettings) throws(EngineError) -> ClipHandle {
        try check(settings, frameCount: buffer.frameCount)
        let prepared = PreparedClip(buffer: buffer, settings: settings)
        return try withControl { state throws(EngineError) in
            let handle = state.freeHandles.last ?? state.nextHandle
            guard handle < configuration.clipCapacity else {
                throw .clipTableFull(capacity: configuration.clipCapacity)
            }
            try push([.install(clip: handle, prepared.content)], at: nil, &state)
            if state.freeHandles.popLast() == nil { state.nextHandle += 1 }
            state.clips[handle] = prepared
            return ClipHandle(handle)
        }
    }

    /// Replaces a clip's samples and settings. Where it plays, it goes on with the new ones at the position that it
    /// has in them, across a crossfade of 5 ms. With another start position, or where it comes to follow the tempo or
    /// ceases to, that is the position which it would have if it had been launched so, on the same boundary.
    @discardableResult
    public func replace(
        _ clip: ClipHandle, with buffer: SampleBuffer, settings: ClipSettings, at frame: FrameTime? = nil
    ) throws(EngineError) -> CommandID {
        try check(settings, frameCount: buffer.frameCount)
        let prepared = PreparedClip(buffer: buffer, settings: settings)
        return try withControl { state throws(EngineError) in
            guard let old = state.clips[clip.rawValue] else { throw .unknownClip(clip) }
            let command = try push([.install(clip: clip.rawValue, prepared.content)], at: frame, &state)
            state.replaced[UInt(bitPattern: old.content)] = old
            state.clips[clip.rawValue] = prepared
            return command
        }
    }

    /// Makes a clip start elsewhere in itself. Where it plays, its origin moves, across a crossfade of 5 ms: to the grid's
    /// origin for ``StartPosition/synced``, to the boundary on which it was launched for ``StartPosition/fromStart``.
    @discardableResult
    public func setStartPosition(
        _ startPosition: StartPosition, of clip: ClipHandle, at frame: FrameTime? = nil
    ) throws(EngineError) -> CommandID {
        guard let prepared = control.withLock({ $0.clips[clip.rawValue] }) else { throw .unknownClip(clip) }
        var settings = prepared.settings
        settings.startPosition = startPosition
        return try replace(clip, with: prepared.buffer, settings: settings, at: frame)
    }

    /// Unloads a clip. Where it plays, it fades out; its memory is freed when the audio thread has let go of it.
    public func unload(_ clip: ClipHandle) throws(EngineError) {
        try withControl { state throws(EngineError) in
            guard let old = state.clips[clip.rawValue] else { throw .unknownClip(clip) }
            try push([.remove(clip: clip.rawValue)], at: nil, &state)
            state.replaced[UInt(bitPattern: old.content)] = old
            state.clips[clip.rawValue] = nil
            state.freeHandles.append(clip.rawValue)
        }
    }

    /// The settings of a loaded clip.
    public func settings(of clip: ClipHandle) -> ClipSettings? {
        control.withLock { $0.clips[clip.rawValue]?.settings }
    }

    private func check(_ settings: ClipSettings, frameCount: Int) throws(EngineError) {
        try check(settings.track)
        if let region = settings.region, region.isEmpty || region.lowerBound < 0 || region.upperBound > frameCount {
            throw .invalidRegion(region, frameCount: frameCount)
        }
        if let beats = settings.beats, !ClipSettings.beatsRange.contains(beats) { throw .invalidBeats(beats) }
        guard (0...(settings.beats ?? ClipSettings.beatsRange.upperBound)).contains(settings.firstBeat) else {
            throw .invalidValue(name: "firstBeat", value: settings.firstBeat)
        }
        if let quantization = settings.quantization { try check(quantization) }
        for (name, fade) in [("fade-in", settings.fadeIn), ("fade-out", settings.fadeOut)] {
            if let fade, !ClipSettings.fadeRange.contains(fade) { throw .invalidValue(name: name, value: fade) }
        }
    }

    // MARK: Stems

    /// Puts stems in the place of those that are there. They live until the audio thread has let go of them.
    func install(_ set: StemSet) throws(EngineError) {
        try withControl { state throws(EngineError) in
            try push([.installStems(set.content)], at: nil, &state)
            state.stemSets[UInt(bitPattern: set.content)] = set
        }
    }

    // MARK: Metronome

    /// Makes `clicks` the metronome's, and keeps the former ones until the audio thread has let go of them.
    func install(_ clicks: PreparedClicks) throws(EngineError) {
        try withControl { state throws(EngineError) in
            try push([.clicks(clicks.content)], at: nil, &state)
            state.replaced[UInt(bitPattern: state.clicks.content)] = state.clicks
            state.clicks = clicks
        }
    }

    // MARK: Sending

    /// The frames that a command may be for.
    public static let frameRange: ClosedRange<Int64> = 0...(1 << 53)

    func check(_ track: TrackIndex) throws(EngineError) {
        guard (0..<configuration.trackCount).contains(track.rawValue) else {
            throw .unknownTrack(track, count: configuration.trackCount)
        }
    }

    func index(of channel: Channel) throws(EngineError) -> Int {
        switch channel {
        case .track(let track):
            try check(track)
            return track.rawValue
        case .stem(let stem):
            guard (0..<configuration.stemCapacity).contains(stem.rawValue) else {
                throw .unknownStem(stem, count: configuration.stemCapacity)
            }
            return configuration.firstStemChannel + stem.rawValue
        case .metronome: return configuration.channelLayout.metronome
        case .playlist: return configuration.channelLayout.playlist
        }
    }

    func check(_ quantization: Quantization) throws(EngineError) {
        switch quantization {
        case .none: break
        case .note(let numerator, let denominator):
            guard numerator > 0, denominator > 0 else {
                throw .invalidValue(name: "quantisation", value: Double(min(numerator, denominator)))
            }
        case .bars(let count):
            guard count > 0 else { throw .invalidValue(name: "quantisation", value: Double(count)) }
        }
    }

    func check(_ bus: BusIndex) throws(EngineError) {
        guard (0..<configuration.busCount).contains(bus.rawValue) else {
            throw .unknownBus(bus, count: configuration.busCount)
        }
    }

    /// Sends actions that take effect together: at `frame`, or at the start of the next block. The identifier is the
    /// first action's; the others' follow it.
    @discardableResult
    func send(_ actions: [Action], at frame: FrameTime?) throws(EngineError) -> CommandID {
        try withControl { state throws(EngineError) in try push(actions, at: frame, &state) }
    }

    /// Sends actions together, provided that `clips` are loaded.
    func send(_ actions: [Action], for clips: [ClipHandle], at frame: FrameTime?) throws(EngineError) -> CommandID {
        try withControl { state throws(EngineError) in
            for clip in clips where state.clips[clip.rawValue] == nil { throw .unknownClip(clip) }
            return try push(actions, at: frame, &state)
        }
    }

    /// Sends actions on `clip`, provided that it is loaded.
    func send(_ action: Action, for clip: ClipHandle, at frame: FrameTime?) throws(EngineError) -> CommandID {
        try withControl { state throws(EngineError) in
            guard state.clips[clip.rawValue] != nil else { throw .unknownClip(clip) }
            return try push([action], at: frame, &state)
        }
    }

    private func withControl<Result>(
        _ body: (inout ControlState) throws(EngineError) -> Result
    ) throws(EngineError) -> Result {
        try control.withLock { state throws(EngineError) in
            collectRetired(&state)
            return try body(&state)
        }
    }

    @discardableResult
    private func push(
        _ actions: [Action], at frame: FrameTime?, _ state: inout ControlState
    ) throws(EngineError) -> CommandID {
        let waiting = state.sent - link.counters.pointee.executed.load(ordering: .acquiring)
        if let frame, !Engine.frameRange.contains(frame.rawValue) {
            throw .invalidValue(name: "frame", value: Double(frame.rawValue))
        }
        let first = state.sent
        let commands = actions.enumerated().map { offset, action in
            Command(frame: frame ?? Command.nextBlock, action: action, id: CommandID(rawValue: first + offset))
        }
        guard waiting + commands.count <= configuration.commandCapacity else {
            throw .busy(capacity: configuration.commandCapacity)
        }
        if state.holds > 0 {
            state.held += commands
        } else if !link.commands.push(all: commands) {
            throw .busy(capacity: configuration.commandCapacity)
        }
        state.sent += commands.count
        return CommandID(rawValue: first)
    }

    /// Sends everything that `body` asks for in one go, so that it takes effect in one block. What other threads ask for
    /// meanwhile is sent with it, in order.
    ///
    /// - Returns: what `body` returns, and the first command that was sent; `nil` where there was none.
    public func sendingTogether<Result>(_ body: () -> Result) -> (result: Result, first: CommandID?) {
        control.withLock { $0.holds += 1 }
        let result = body()
        let first = control.withLock { state in
            state.holds -= 1
            defer { if state.holds == 0 { state.held = [] } }
            // There is room: every command was counted when it was taken in.
            if state.holds == 0 { _ = link.commands.push(all: state.held) }
            return state.held.first?.id
        }
        return (result, first)
    }

    private func collectRetired(_ state: inout ControlState) {
        while let address = link.retired.pop() {
            state.replaced[address] = nil
            state.stemSets[address] = nil
        }
    }
}
