import BarlineDSP
import BarlineTime

/// What can be asked of a running engine.
///
/// Every call takes the frame at which it takes effect; without one, that is the first frame of the next block. A
/// frame that has passed is reported as late and takes effect at once, a launch at the position it would have had.
extension Engine {
    // MARK: Clips

    /// Presses the launch button of `clip`.
    @discardableResult
    public func launch(_ clip: ClipHandle, at frame: FrameTime? = nil) throws(EngineError) -> CommandID {
        try send(.launch(clip: clip.rawValue), for: clip, at: frame)
    }

    /// Releases the launch button of `clip`, which matters to modes `gate` and `repeat`.
    @discardableResult
    public func release(_ clip: ClipHandle, at frame: FrameTime? = nil) throws(EngineError) -> CommandID {
        try send(.release(clip: clip.rawValue), for: clip, at: frame)
    }

    /// Launches a row: `clips` together, while `stopping` tracks stop; a tempo takes over where the clips start.
    @discardableResult
    public func launchScene(
        _ clips: [ClipHandle], stopping: [TrackIndex] = [], tempo: Tempo? = nil, at frame: FrameTime? = nil
    ) throws(EngineError) -> CommandID {
        for track in stopping { try check(track) }
        var actions: [Action] = stopping.map { .stop(track: $0.rawValue) }
        if let tempo { actions.append(.launchTempo(tempo)) }
        actions += clips.map { .launch(clip: $0.rawValue) }
        return try send(actions, for: clips, at: frame)
    }

    /// Stops what plays on `track`, quantised like a launch; a launch that waits there is cancelled.
    @discardableResult
    public func stop(_ track: TrackIndex, at frame: FrameTime? = nil) throws(EngineError) -> CommandID {
        try check(track)
        return try send([.stop(track: track.rawValue)], at: frame)
    }

    /// Stops what plays on `track` at once.
    @discardableResult
    public func stopNow(_ track: TrackIndex, at frame: FrameTime? = nil) throws(EngineError) -> CommandID {
        try check(track)
        return try send([.stopNow(track: track.rawValue)], at: frame)
    }

    /// Stops every track, each quantised like its launch.
    @discardableResult
    public func stopAll(at frame: FrameTime? = nil) throws(EngineError) -> CommandID { try send([.stopAll], at: frame) }

    /// Stops every track at once. The transport keeps rolling.
    @discardableResult
    public func stopAllNow(at frame: FrameTime? = nil) throws(EngineError) -> CommandID {
        try send([.stopAllNow], at: frame)
    }

    /// Ramps the gain of `clip`, if it plays, to `gain`. To make it last, replace the clip's settings too.
    @discardableResult
    public func setGain(_ gain: Decibels, of clip: ClipHandle, at frame: FrameTime? = nil) throws(EngineError)
        -> CommandID
    {
        try send(.clipGain(clip: clip.rawValue, try amplitude(gain)), for: clip, at: frame)
    }

    // MARK: Transport

    /// Rolls the transport from beat 0; nothing happens where it rolls.
    @discardableResult
    public func startTransport(at frame: FrameTime? = nil) throws(EngineError) -> CommandID {
        try send([.startTransport], at: frame)
    }

    /// Stops the transport and everything that plays on it.
    @discardableResult
    public func stopTransport(at frame: FrameTime? = nil) throws(EngineError) -> CommandID {
        try send([.stopTransport], at: frame)
    }

    /// Changes the tempo, at once or over `rampBeats` quarter notes.
    @discardableResult
    public func setTempo(
        _ tempo: Tempo, overBeats rampBeats: Double = 0, at frame: FrameTime? = nil
    ) throws(EngineError) -> CommandID {
        guard (0...1_000_000).contains(rampBeats) else { throw .invalidValue(name: "ramp", value: rampBeats) }
        return try send([.tempo(tempo, rampBeats: rampBeats)], at: frame)
    }

    /// Changes the metre on the next bar line; at once where the transport is stopped.
    @discardableResult
    public func setTimeSignature(_ timeSignature: TimeSignature, at frame: FrameTime? = nil) throws(EngineError)
        -> CommandID
    {
        try send([.timeSignature(timeSignature)], at: frame)
    }

    /// Changes the grid of launches to come, for clips that have none of their own.
    @discardableResult
    public func setLaunchQuantization(_ quantization: Quantization, at frame: FrameTime? = nil) throws(EngineError)
        -> CommandID
    {
        try check(quantization)
        return try send([.quantization(quantization)], at: frame)
    }

    /// Changes how far past a boundary a launch still counts as on it: a fraction of the period, 0 … 0.5.
    @discardableResult
    public func setSnapTolerance(_ tolerance: Double, at frame: FrameTime? = nil) throws(EngineError) -> CommandID {
        guard LaunchGrid.toleranceRange.contains(tolerance) else {
            throw .invalidValue(name: "snap tolerance", value: tolerance)
        }
        return try send([.snapTolerance(tolerance)], at: frame)
    }

    /// Changes where the transport stands when it is set rolling by a launch.
    @discardableResult
    public func setFirstLaunch(_ firstLaunch: FirstLaunch, at frame: FrameTime? = nil) throws(EngineError) -> CommandID
    {
        try send([.firstLaunch(firstLaunch)], at: frame)
    }

    /// Moves the song position; launches, which follow the monotonic beat, are not touched.
    @discardableResult
    public func relocate(to position: Beat, at frame: FrameTime? = nil) throws(EngineError) -> CommandID {
        guard position.rawValue.isFinite else { throw .invalidValue(name: "position", value: position.rawValue) }
        return try send([.relocate(position)], at: frame)
    }

    /// Loops the song position from `start` over `length` quarter notes; 0 ends the loop.
    @discardableResult
    public func setSongLoop(from start: Beat, length: Double, at frame: FrameTime? = nil) throws(EngineError)
        -> CommandID
    {
        guard start.rawValue.isFinite, length.isFinite, length >= 0 else {
            throw .invalidValue(name: "loop length", value: length)
        }
        return try send([.songLoop(start: start, length: length)], at: frame)
    }

    // MARK: Mixer

    /// Ramps a channel's fader.
    @discardableResult
    public func setGain(_ gain: Decibels, of channel: Channel, at frame: FrameTime? = nil) throws(EngineError)
        -> CommandID
    {
        return try send([.channelGain(channel: try index(of: channel), try amplitude(gain))], at: frame)
    }

    /// Ramps a channel's balance: −1 is left only, 0 both channels unchanged, 1 right only.
    @discardableResult
    public func setPan(_ pan: Double, of channel: Channel, at frame: FrameTime? = nil) throws(EngineError) -> CommandID
    {
        guard (-1...1).contains(pan) else { throw .invalidValue(name: "pan", value: pan) }
        return try send([.channelPan(channel: try index(of: channel), Float(pan))], at: frame)
    }

    /// Mutes a channel or lets it sound.
    @discardableResult
    public func setMute(_ isOn: Bool, of channel: Channel, at frame: FrameTime? = nil) throws(EngineError) -> CommandID
    {
        return try send([.channelMute(channel: try index(of: channel), isOn)], at: frame)
    }

    /// Solos a channel: as long as any is, only soloed ones sound, and the metronome.
    @discardableResult
    public func setSolo(_ isOn: Bool, of channel: Channel, at frame: FrameTime? = nil) throws(EngineError) -> CommandID
    {
        return try send([.channelSolo(channel: try index(of: channel), isOn)], at: frame)
    }

    /// Sends a channel to another bus.
    @discardableResult
    public func setBus(_ bus: BusIndex, of channel: Channel, at frame: FrameTime? = nil) throws(EngineError)
        -> CommandID
    {
        try check(bus)
        return try send([.channelBus(channel: try index(of: channel), bus: bus.rawValue)], at: frame)
    }

    /// Ramps the fader that all stems go through before their own.
    @discardableResult
    public func setStemsGain(_ gain: Decibels, at frame: FrameTime? = nil) throws(EngineError) -> CommandID {
        try send([.stemsGain(try amplitude(gain))], at: frame)
    }

    /// Ramps a bus's fader.
    @discardableResult
    public func setGain(_ gain: Decibels, of bus: BusIndex, at frame: FrameTime? = nil) throws(EngineError) -> CommandID
    {
        try check(bus)
        return try send([.busGain(bus: bus.rawValue, try amplitude(gain))], at: frame)
    }

    /// Turns the limiter on or off and sets its ceiling, without a step in what is heard. Of no effect where the engine was
    /// made without one.
    @discardableResult
    public func setLimiter(_ settings: LimiterSettings, at frame: FrameTime? = nil) throws(EngineError) -> CommandID {
        guard LimiterSettings.ceilingRange.contains(settings.ceiling.rawValue) else {
            throw .invalidValue(name: "ceiling", value: settings.ceiling.rawValue)
        }
        return try send([.limiter(isOn: settings.isOn, ceiling: Float(settings.ceiling.amplitude))], at: frame)
    }

    /// Puts out the lights that tell of samples over full scale, on every bus.
    @discardableResult
    public func resetOvers(at frame: FrameTime? = nil) throws(EngineError) -> CommandID {
        try send([.resetOvers], at: frame)
    }

    func amplitude(_ gain: Decibels) throws(EngineError) -> Float {
        let amplitude = gain.amplitude
        guard amplitude.isFinite, amplitude >= 0 else { throw .invalidValue(name: "gain", value: gain.rawValue) }
        return Float(amplitude)
    }
}
