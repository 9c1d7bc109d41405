import BarlineDSP
import BarlineTime

extension Engine {
    /// Device inputs: recorded into slots, monitored on tracks.
    public var inputs: Inputs { Inputs(engine: self) }

    /// The inputs of an engine, as ``Engine/inputs`` returns them. An open input is captured on every frame, so that
    /// audio that has already been played can still be recorded.
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
    /// The default length of audio kept of an input, in seconds: 16 bars of common time at 60 BPM.
    public static let keptSeconds = 64.0
    /// The range of the length kept of an input, in seconds.
    public static let keptRange: ClosedRange<Double> = 0.1...600
    /// The range of an input's latency, in frames; below 0 for sound that arrives too early.
    public static let latencyRange: ClosedRange<Int> = -96_000...960_000

    /// Opens an input, from the next block on. A device input has the channels of its number in ``AudioBlock/inputs``;
    /// one that records a track or a bus has no latency, and must not be monitored on a track that feeds its source.
    ///
    /// - Parameters:
    ///   - input: the input; if it is open, it is reopened.
    ///   - channels: 1 or 2.
    ///   - source: what it records.
    ///   - seconds: the length of audio kept, within ``keptRange``.
    /// - Throws: ``EngineError/unknownInput(_:count:)``, ``EngineError/unknownTrack(_:count:)``,
    ///   ``EngineError/unknownBus(_:count:)``, ``EngineError/invalidValue(name:value:)`` or
    ///   ``EngineError/busy(capacity:)``.
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
        let prepared = PreparedInput(
            frames: Int(engine.sampleRate.frames(seconds: seconds)), seconds: seconds, channels: channels,
            from: engine.state.frame)
        try engine.withControl { state throws(EngineError) in
            try engine.push([.inputs(.open(input: input.rawValue, prepared.ring, source))], at: nil, &state)
            if let old = state.inputs[input.rawValue] { state.replaced[UInt(bitPattern: old.ring)] = old }
            state.inputs[input.rawValue] = prepared
        }
    }

    /// Closes an input. Recordings of it continue as silence.
    public func close(_ input: InputIndex) throws(EngineError) {
        try engine.check(input)
        try engine.withControl { state throws(EngineError) in
            guard let old = state.inputs[input.rawValue] else { return }
            try engine.push([.inputs(.close(input: input.rawValue))], at: nil, &state)
            state.replaced[UInt(bitPattern: old.ring)] = old
            state.inputs[input.rawValue] = nil
        }
    }

    /// Has an input capture a signal from the next block on, in place of what the device gives.
    ///
    /// - Parameters:
    ///   - input: the input; open or not.
    ///   - signal: the signal.
    ///   - first: the frame on which the signal begins.
    /// - Throws: ``EngineError/unknownInput(_:count:)`` or ``EngineError/busy(capacity:)``.
    package func feed(
        _ input: InputIndex, with signal: InputSignal, from first: FrameTime = .zero
    ) throws(EngineError) {
        try engine.check(input)
        let prepared = PreparedSignal(signal, from: first)
        try engine.withControl { state throws(EngineError) in
            try engine.push([.inputs(.signal(input: input.rawValue, prepared.reader))], at: nil, &state)
            state.signals.append(prepared)
        }
    }

    /// Has an input that captures a signal capture what the device gives again, from the next block on.
    ///
    /// - Throws: ``EngineError/unknownInput(_:count:)`` or ``EngineError/busy(capacity:)``.
    package func stopFeeding(_ input: InputIndex) throws(EngineError) {
        try engine.check(input)
        _ = try engine.withControl { state throws(EngineError) in
            try engine.push([.inputs(.signal(input: input.rawValue, nil))], at: nil, &state)
        }
    }

    /// The frame from which on an open input has been captured; `nil` if it is not open.
    package func beginning(of input: InputIndex) -> FrameTime? {
        engine.control.withLock { $0.inputs[input.rawValue]?.beginning }
    }

    /// Sets the latency of an input, for recordings that begin from then on: how many frames before its delivery audio
    /// was played, relative to what was audible. That is the latency of the capture plus that of the playback.
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

    /// Sets the gain at which an input is captured.
    @discardableResult
    public func setGain(
        _ gain: Decibels, of input: InputIndex, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try engine.check(input)
        let amplitude = try Engine.amplitude(gain)
        return try engine.send([.inputs(.gain(input: input.rawValue, amplitude))], at: moment)
    }

    /// Monitors an input on a track, before its effects and its fader.
    ///
    /// - Parameters:
    ///   - input: the input; `nil` for none.
    ///   - mode: when it is audible.
    ///   - track: the track.
    ///   - moment: when it takes effect; `nil` for the next block.
    /// - Returns: the command, as carried by events.
    /// - Throws: ``EngineError/unknownTrack(_:count:)``, ``EngineError/unknownInput(_:count:)`` or
    ///   ``EngineError/busy(capacity:)``.
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
