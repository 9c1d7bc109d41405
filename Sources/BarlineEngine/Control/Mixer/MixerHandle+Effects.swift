import BarlineTime

/// Effects in the mixer. Any change while they play fades over 5 ms; commands performed before the first frame take
/// effect from the first frame on.
extension Engine.Mixer {
    /// The maximum number of effects of a channel or bus.
    public static var effectCapacity: Int { Chain.capacity }

    /// Inserts an effect into a channel or a bus, before the one at `index`; without an index, at the end.
    ///
    /// - Throws: ``EngineError/chainFull(capacity:)``, ``EngineError/invalidValue(name:value:)``, what
    ///   ``Engine/Strip/setGain(_:over:curve:at:)`` throws for a channel that does not exist, or
    ///   ``EngineError/busy(capacity:)``.
    /// - Complexity: O(*n*) in the effects of all chains, and in the effect's memory.
    @discardableResult
    public func insert(
        _ settings: EffectSettings, on point: InsertPoint, before index: Int? = nil, at moment: (any Moment)? = nil
    ) throws(EngineError) -> EffectHandle {
        let chain = try self.chain(of: point)
        try check(settings)
        return try engine.withControl { state throws(EngineError) in
            let staying = state.effects.values.count { $0.chain == chain }
            guard staying < Chain.capacity else { throw .chainFull(capacity: Chain.capacity) }
            return try install(settings, on: chain, at: moment, &state) { prepared, identity in
                .insert(prepared.effect, identity, index: index ?? Chain.placeCount, isBypassed: settings.isBypassed)
            }
        }
    }

    /// Replaces an effect, with a crossfade. The former effect's handle becomes invalid.
    public func replace(
        _ effect: EffectHandle, with settings: EffectSettings, at moment: (any Moment)? = nil
    ) throws(EngineError) -> EffectHandle {
        try check(settings)
        return try engine.withControl { state throws(EngineError) in
            guard let old = state.effects[effect] else { throw .unknownEffect(effect) }
            let handle = try install(settings, on: old.chain, at: moment, &state) { prepared, identity in
                .replace(effect.rawValue, prepared.effect, identity, isBypassed: settings.isBypassed)
            }
            retire(effect, &state)
            return handle
        }
    }

    /// Removes an effect. Its handle becomes invalid.
    @discardableResult
    public func remove(_ effect: EffectHandle, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.withControl { state throws(EngineError) in
            let command = try push(.remove(effect.rawValue), effect, at: moment, &state)
            retire(effect, &state)
            return command
        }
    }

    /// Moves an effect before the one at `index` of the others in its chain: it fades out, and in again there.
    @discardableResult
    public func move(_ effect: EffectHandle, to index: Int, at moment: (any Moment)? = nil) throws(EngineError)
        -> CommandID
    {
        guard index >= 0 else { throw .invalidValue(name: "index", value: Double(index)) }
        return try engine.withControl { state throws(EngineError) in
            try push(.move(effect.rawValue, index: index), effect, at: moment, &state)
        }
    }

    /// Bypasses an effect, bit for bit, or ends the bypass.
    @discardableResult
    public func setBypass(
        _ isOn: Bool, of effect: EffectHandle, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try engine.withControl { state throws(EngineError) in
            try push(.bypass(effect.rawValue, isOn), effect, at: moment, &state)
        }
    }

    /// Ramps a parameter to a value, from where it is then.
    ///
    /// - Parameters:
    ///   - parameter: its name in ``EffectKind/parameters``.
    ///   - effect: the effect.
    ///   - value: within the parameter's range; for a choice, the index of the word.
    ///   - length: the length of the ramp.
    ///   - curve: the curve of the ramp; for a choice, the words crossfade linearly.
    ///   - moment: when the ramp starts.
    /// - Returns: the command, as carried by events.
    /// - Throws: ``EngineError/unknownEffect(_:)``, ``EngineError/unknownParameter(_:)``,
    ///   ``EngineError/invalidValue(name:value:)`` or ``EngineError/busy(capacity:)``.
    /// - Complexity: O(*n*) in the parameters of the effect.
    @discardableResult
    public func set(
        _ parameter: String, of effect: EffectHandle, to value: Double, over length: RampLength = .shortest,
        curve: Curve = .natural, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        let ramp = try Engine.ramp(length, curve)
        return try engine.withControl { state throws(EngineError) in
            guard let live = state.effects[effect] else { throw .unknownEffect(effect) }
            guard let number = live.kind.parameters.firstIndex(where: { $0.name == parameter }) else {
                throw .unknownParameter(parameter)
            }
            guard live.kind.parameters[number].allows(value) else { throw .invalidValue(name: parameter, value: value) }
            let place = ParameterID.Place.effect(effect.rawValue, chain: live.chain)
            let action = EngineAction.mixer(.set(ParameterID(place: place, number: number), target: value, ramp))
            return try engine.push([action], at: moment, &state)
        }
    }

    private func chain(of point: InsertPoint) throws(EngineError) -> Int {
        switch point {
        case .channel(let channel): return try engine.index(of: channel)
        case .bus(let bus):
            try engine.check(bus)
            return engine.configuration.channelCount + bus.rawValue
        }
    }

    private func check(_ settings: EffectSettings) throws(EngineError) {
        for (parameter, value) in zip(settings.kind.parameters, settings.values) where !parameter.allows(value) {
            throw .invalidValue(name: parameter.name, value: value)
        }
        guard settings.values.count == settings.kind.parameters.count else {
            throw .invalidValue(name: "number of values", value: Double(settings.values.count))
        }
    }

    private func install(
        _ settings: EffectSettings, on chain: Int, at moment: (any Moment)?, _ state: inout Engine.ControlState,
        _ action: (PreparedEffect, EffectIdentity) -> Chain.Action
    ) throws(EngineError) -> EffectHandle {
        let prepared = PreparedEffect(settings, sampleRate: engine.configuration.sampleRate)
        let handle = EffectHandle(rawValue: state.nextEffect)
        let identity = EffectIdentity(number: handle.rawValue, address: prepared.address)
        try engine.push([.effect(chain: chain, action(prepared, identity))], at: moment, &state)
        state.nextEffect += 1
        state.effects[handle] = Engine.LiveEffect(chain: chain, kind: settings.kind, prepared: prepared)
        return handle
    }

    private func push(
        _ action: Chain.Action, _ effect: EffectHandle, at moment: (any Moment)?, _ state: inout Engine.ControlState
    ) throws(EngineError) -> CommandID {
        guard let live = state.effects[effect] else { throw .unknownEffect(effect) }
        return try engine.push([.effect(chain: live.chain, action)], at: moment, &state)
    }

    /// Keeps an effect's memory until the audio thread has retired it.
    private func retire(_ effect: EffectHandle, _ state: inout Engine.ControlState) {
        guard let old = state.effects.removeValue(forKey: effect) else { return }
        state.replaced[old.prepared.address] = old.prepared
    }
}
