import BarlineDSP
import BarlineTime

extension Engine {
    /// Pads: one-shots held in memory.
    public var sampler: Sampler { Sampler(engine: self) }

    /// The sampler of an engine, as ``Engine/sampler`` returns it. A pad starts on the exact frame for which it is
    /// triggered; it does not follow the tempo.
    ///
    /// ```swift
    /// let kick = try engine.sampler.load(buffer)
    /// try engine.sampler.trigger(kick, velocity: 0.8)
    /// ```
    public struct Sampler: Sendable {
        let engine: Engine
    }
}

extension Engine.Sampler {
    /// Its mixer strip.
    public var strip: Engine.Strip { engine.mixer[.pads] }

    /// Loads a pad.
    ///
    /// - Throws: ``SamplerError/padTableFull(capacity:)``, ``EngineError/invalidValue(name:value:)`` or
    ///   ``EngineError/busy(capacity:)``.
    /// - Complexity: O(*n*) in the pads.
    public func load(_ buffer: SampleBuffer, settings: PadSettings = PadSettings()) throws(EngineError) -> PadHandle {
        try check(settings)
        let prepared = PreparedPad(buffer, settings)
        return try engine.withControl { state throws(EngineError) in
            let capacity = engine.configuration.padCapacity
            guard let pad = (0..<capacity).first(where: { state.loadedPads[$0] == nil }) else {
                throw .sampler(.padTableFull(capacity: capacity))
            }
            try engine.push([.sampler(.install(pad: pad, prepared.content))], at: nil, &state)
            state.loadedPads[pad] = prepared
            return PadHandle(pad)
        }
    }

    /// Replaces the sound of a pad. Voices in progress continue unchanged.
    @discardableResult
    public func replace(
        _ pad: PadHandle, with buffer: SampleBuffer, settings: PadSettings, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try check(settings)
        let prepared = PreparedPad(buffer, settings)
        return try engine.withControl { state throws(EngineError) in
            guard let old = state.loadedPads[pad.rawValue] else { throw .sampler(.unknownPad(pad)) }
            let command = try engine.push(
                [.sampler(.install(pad: pad.rawValue, prepared.content))], at: moment, &state)
            state.replaced[UInt(bitPattern: old.content)] = old
            state.loadedPads[pad.rawValue] = prepared
            return command
        }
    }

    /// Unloads a pad. Its voices fade out; its memory is freed when the audio thread has retired it.
    public func unload(_ pad: PadHandle) throws(EngineError) {
        try engine.withControl { state throws(EngineError) in
            guard let old = state.loadedPads[pad.rawValue] else { throw .sampler(.unknownPad(pad)) }
            try engine.push([.sampler(.remove(pad: pad.rawValue))], at: nil, &state)
            state.replaced[UInt(bitPattern: old.content)] = old
            state.loadedPads[pad.rawValue] = nil
        }
    }

    /// Triggers a pad; other pads of its choke group fade out.
    ///
    /// - Parameters:
    ///   - pad: the pad.
    ///   - velocity: how hard it is hit, 0 … 1: its loudness follows the square, as far as ``PadSettings/sensitivity``
    ///     has it.
    ///   - quantization: the grid to wait for while the transport rolls; `nil` for the pad's own.
    ///   - moment: when it is hit; `nil` for the next block.
    /// - Returns: the command, as carried by events.
    /// - Throws: ``SamplerError/unknownPad(_:)``, ``EngineError/invalidValue(name:value:)`` or
    ///   ``EngineError/busy(capacity:)``.
    @discardableResult
    public func trigger(
        _ pad: PadHandle, velocity: Double = 1, quantization: Quantization? = nil, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        guard (0...1).contains(velocity) else { throw .invalidValue(name: "velocity", value: velocity) }
        if let quantization { try engine.check(quantization) }
        let grid: PadGrid = if let quantization { .other(quantization) } else { .own }
        return try send(.trigger(pad: pad.rawValue, velocity: velocity, on: grid), for: pad, at: moment)
    }

    /// Fades out all voices of a pad, and cancels its pending hits.
    @discardableResult
    public func stop(_ pad: PadHandle, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try send(.stop(pad: pad.rawValue), for: pad, at: moment)
    }

    /// Fades out all pads, and cancels pending hits.
    @discardableResult
    public func stopAll(at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.sampler(.stopAll)], at: moment)
    }

    private func send(
        _ action: Sampler.Action, for pad: PadHandle, at moment: (any Moment)?
    ) throws(EngineError) -> CommandID {
        try engine.withControl { state throws(EngineError) in
            guard state.loadedPads[pad.rawValue] != nil else { throw .sampler(.unknownPad(pad)) }
            return try engine.push([.sampler(action)], at: moment, &state)
        }
    }

    private func check(_ settings: PadSettings) throws(EngineError) {
        _ = try Engine.amplitude(settings.gain)
        try engine.check(settings.quantization)
        guard PadSettings.panRange.contains(settings.pan) else { throw .invalidValue(name: "pan", value: settings.pan) }
        guard PadSettings.sensitivityRange.contains(settings.sensitivity) else {
            throw .invalidValue(name: "sensitivity", value: settings.sensitivity)
        }
        guard PadSettings.pitchRange.contains(settings.pitch) else {
            throw .invalidValue(name: "pitch", value: settings.pitch)
        }
        guard PadSettings.chokeRange.contains(settings.choke) else {
            throw .invalidValue(name: "choke", value: Double(settings.choke))
        }
    }
}

/// The loaded pads, indexed by the places of their handles.
private struct LoadedPads: ControlPart {
    var pads: [Int: PreparedPad] = [:]
}

extension Engine.ControlState {
    fileprivate var loadedPads: [Int: PreparedPad] {
        get { parts[LoadedPads.self].pads }
        set { parts[LoadedPads.self].pads = newValue }
    }
}
