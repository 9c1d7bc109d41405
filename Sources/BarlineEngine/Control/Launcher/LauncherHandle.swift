import BarlineDSP
import BarlineTime

extension Engine {
    /// Clips, loaded and launched on the grid.
    public var launcher: Launcher { Launcher(engine: self) }

    /// The launcher of an engine, as ``Engine/launcher`` returns it: loads clips and launches them on the grid.
    ///
    /// ```swift
    /// let clip = try engine.launcher.load(buffer, settings: ClipSettings(track: 0, beats: 16))
    /// try engine.launcher.launch(clip)
    /// engine.launcher.quantization = .bars(2)
    /// ```
    ///
    /// Every method takes the `Moment` at which it takes effect: a frame, a beat, a bar or a host time; without one,
    /// the first frame of the next block. A frame that has passed is reported as late and takes effect at once, a
    /// launch at the position it would have had.
    public struct Launcher: Sendable {
        let engine: Engine
    }
}

extension Engine.Launcher {
    // MARK: Launching

    /// Presses the launch button of `clip`.
    @discardableResult
    public func launch(_ clip: ClipHandle, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.launcher(.launch(clip: clip.rawValue))], for: [clip], at: moment)
    }

    /// Releases the launch button of `clip`, which matters to the launch modes `gate` and `repeat`.
    @discardableResult
    public func release(_ clip: ClipHandle, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.launcher(.release(clip: clip.rawValue))], for: [clip], at: moment)
    }

    /// Launches a row: starts `clips` together while the tracks `stopping` stop; a tempo takes effect where the clips
    /// start.
    ///
    /// - Complexity: O(*n*) in the clips and tracks together.
    @discardableResult
    public func launchScene(
        _ clips: [ClipHandle], stopping: [TrackIndex] = [], tempo: Tempo? = nil, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        for track in stopping { try engine.check(track) }
        var actions: [EngineAction] = stopping.map { .launcher(.stop(track: $0.rawValue)) }
        if let tempo { actions.append(.launcher(.launchTempo(tempo))) }
        actions += clips.map { .launcher(.launch(clip: $0.rawValue)) }
        return try engine.send(actions, for: clips, at: moment)
    }

    /// Stops `track`, quantised like a launch; a queued launch there is cancelled.
    @discardableResult
    public func stop(_ track: TrackIndex, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.check(track)
        return try engine.send([.launcher(.stop(track: track.rawValue))], at: moment)
    }

    /// Stops `track` at once.
    @discardableResult
    public func stopNow(_ track: TrackIndex, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.check(track)
        return try engine.send([.launcher(.stopNow(track: track.rawValue))], at: moment)
    }

    /// Stops every track, each quantised like its launch.
    @discardableResult
    public func stopAll(at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.launcher(.stopAll)], at: moment)
    }

    /// Stops every track at once. The transport keeps rolling.
    @discardableResult
    public func stopAllNow(at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.launcher(.stopAllNow)], at: moment)
    }

    /// Ramps the gain of `clip`, if it plays, to `gain`. To make the change permanent, replace the clip's settings too.
    @discardableResult
    public func setGain(
        _ gain: Decibels, of clip: ClipHandle, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        let amplitude = try Engine.amplitude(gain)
        return try engine.send([.launcher(.clipGain(clip: clip.rawValue, amplitude))], for: [clip], at: moment)
    }

    // MARK: Grid

    /// The default grid of future launches, for clips that have none of their own. Setting it is
    /// ``setQuantization(_:at:)`` for the next block; see ``Engine/omittedChangeCount``.
    public var quantization: Quantization {
        get { engine.settings.quantization }
        nonmutating set { engine.attempt { () throws(EngineError) in try setQuantization(newValue) } }
    }

    /// How far past a boundary a launch still counts as on it: a fraction of the period, 0 … 0.5.
    public var snapTolerance: Double {
        get { engine.settings.snapTolerance }
        nonmutating set { engine.attempt { () throws(EngineError) in try setSnapTolerance(newValue) } }
    }

    /// Where the transport starts when a launch starts it.
    public var firstLaunch: FirstLaunch {
        get { engine.settings.firstLaunch }
        nonmutating set { engine.attempt { () throws(EngineError) in try setFirstLaunch(newValue) } }
    }

    /// Changes the default grid of future launches, for clips that have none of their own.
    @discardableResult
    public func setQuantization(
        _ quantization: Quantization, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try engine.check(quantization)
        return try engine.send([.launcher(.quantization(quantization))], at: moment) { $0.quantization = quantization }
    }

    /// Changes how far past a boundary a launch still counts as on it: a fraction of the period, 0 … 0.5.
    @discardableResult
    public func setSnapTolerance(_ tolerance: Double, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        guard LaunchGrid.toleranceRange.contains(tolerance) else {
            throw .invalidValue(name: "snap tolerance", value: tolerance)
        }
        return try engine.send([.transport(.snapTolerance(tolerance))], at: moment) { $0.snapTolerance = tolerance }
    }

    /// Changes where the transport starts when a launch starts it.
    @discardableResult
    public func setFirstLaunch(
        _ firstLaunch: FirstLaunch, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try engine.send([.launcher(.firstLaunch(firstLaunch))], at: moment) { $0.firstLaunch = firstLaunch }
    }
}
