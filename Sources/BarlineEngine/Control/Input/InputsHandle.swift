import BarlineDSP
import BarlineTime

extension Engine {
    /// What devices give: recorded into slots, heard on tracks.
    public var inputs: Inputs { Inputs(engine: self) }

    /// The inputs of an engine, as ``Engine/inputs`` gives them. One that is open is captured on every frame, so that what has been played already
    /// can be recorded too.
    ///
    /// ```swift
    /// let microphone = InputIndex(0)
    /// try engine.inputs.open(microphone, channels: 1)
    /// let clip = try engine.launcher.arm(TakeSettings(track: 0, input: microphone, bars: 4))
    /// try engine.launcher.launch(clip)
    /// ```
    public struct Inputs: Sendable {
        let engine: Engine
    }
}

extension Engine.Inputs {
    /// How much of an input is kept, in seconds, unless asked for otherwise: 16 bars of common time at 60 BPM.
    public static let keptSeconds = 64.0
    /// What may be kept of an input, in seconds.
    public static let keptRange: ClosedRange<Double> = 0.1...600
    /// How many frames before its delivery what an input gives may belong: latencies below 0 are of sound that comes too early.
    public static let latencyRange: ClosedRange<Int> = -96_000...960_000

    /// Opens an input, from the next block on. Its channels are those of its number in ``AudioBlock/inputs``, or it is of what is played: then it has no
    /// latency, and is not to be heard on a track that leads to what it is of.
    ///
    /// - Parameters:
    ///   - input: which one; where it is open it begins anew.
    ///   - channels: 1 or 2.
    ///   - source: what it is of.
    ///   - seconds: how much of it is kept, in ``keptRange``.
    /// - Throws: ``EngineError/unknownInput(_:count:)``, ``EngineError/unknownTrack(_:count:)``, ``EngineError/unknownBus(_:count:)``,
    ///   ``EngineError/invalidValue(name:value:)`` or ``EngineError/busy(capacity:)``.
    public func open(
        _ input: InputIndex, channels: Int, of source: InputSource = .device, keeping seconds: Double = keptSeconds
    ) throws(EngineError) {
        try engine.check(input)
        switch source {
        case .device: break
        case .track(let track): try engine.check(track)
        case .bus(let bus): try engine.check(bus)
        }
        guard (1...2).contains(channels) else { throw .invalidValue(name: "channels", value: Double(channels)) }
        guard Engine.Inputs.keptRange.contains(seconds) else {
            throw .invalidValue(name: "kept seconds", value: seconds)
        }
        let prepared = PreparedInput(frames: Int(engine.sampleRate.frames(seconds: seconds)), channels: channels)
        try engine.withControl { state throws(EngineError) in
            try engine.push([.inputs(.open(input: input.rawValue, prepared.ring, source))], at: nil, &state)
            if let old = state.inputs[input.rawValue] { state.replaced[UInt(bitPattern: old.ring)] = old }
            state.inputs[input.rawValue] = prepared
        }
    }

    /// Closes an input. What is recorded of it goes on as silence.
    public func close(_ input: InputIndex) throws(EngineError) {
        try engine.check(input)
        try engine.withControl { state throws(EngineError) in
            guard let old = state.inputs[input.rawValue] else { return }
            try engine.push([.inputs(.close(input: input.rawValue))], at: nil, &state)
            state.replaced[UInt(bitPattern: old.ring)] = old
            state.inputs[input.rawValue] = nil
        }
    }

    /// Says how many frames before its delivery what an input gives belongs, for recordings that begin from then on: where it was played to what
    /// is heard, the latency of the capture and that of the playback.
    @discardableResult
    public func setLatency(
        _ frames: Int, of input: InputIndex, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try engine.check(input)
        guard Engine.Inputs.latencyRange.contains(frames) else {
            throw .invalidValue(name: "latency", value: Double(frames))
        }
        return try engine.send([.inputs(.latency(input: input.rawValue, frames: Int64(frames)))], at: moment)
    }

    /// Changes how loud an input is captured.
    @discardableResult
    public func setGain(
        _ gain: Decibels, of input: InputIndex, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try engine.check(input)
        let amplitude = try Engine.amplitude(gain)
        return try engine.send([.inputs(.gain(input: input.rawValue, amplitude))], at: moment)
    }

    /// Has an input heard on a track, before its effects and its fader.
    ///
    /// - Parameters:
    ///   - input: which one; `nil` for none.
    ///   - mode: when.
    ///   - track: where.
    ///   - moment: from when on; `nil` for the next block.
    /// - Returns: the command, to be recognised in events.
    /// - Throws: ``EngineError/unknownTrack(_:count:)``, ``EngineError/unknownInput(_:count:)`` or ``EngineError/busy(capacity:)``.
    @discardableResult
    public func monitor(
        _ input: InputIndex?, _ mode: MonitorMode = .auto, on track: TrackIndex, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try engine.check(track)
        if let input { try engine.check(input) }
        return try engine.send(
            [.launcher(.monitor(track: track.rawValue, input: input?.rawValue ?? -1, mode))], at: moment)
    }
}

extension Engine {
    func check(_ input: InputIndex) throws(EngineError) {
        guard (0..<configuration.inputCapacity).contains(input.rawValue) else {
            throw .unknownInput(input, count: configuration.inputCapacity)
        }
    }
}
