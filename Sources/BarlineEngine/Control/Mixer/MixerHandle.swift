import BarlineDSP
import BarlineTime

extension Engine {
    /// Faders, pan, sends and buses.
    public var mixer: Mixer { Mixer(engine: self) }

    /// The mixer of an engine, as ``Engine/mixer`` returns it: a ``Strip`` for each channel and a ``Bus`` for each
    /// output pair.
    ///
    /// ```swift
    /// engine.mixer[.track(0)].gain = -6
    /// engine.mixer[.stem(2)].isSoloed = true
    /// engine.mixer[.stem(2)].send(to: 1).level = -12
    /// try engine.mixer[.main].setGain(.silence, at: end)
    /// ```
    public struct Mixer: Sendable {
        let engine: Engine
    }

    /// A channel's strip of the mixer.
    ///
    /// Properties read as the latest requested value, even if it is scheduled for a future frame; the meter shows the
    /// current level. Reading a channel that the engine does not have is a programming error; changing it throws.
    public struct Strip: Sendable {
        let engine: Engine
        /// The channel of the strip.
        public let channel: Channel
    }

    /// An output pair: the sum of its channels.
    public struct Bus: Sendable {
        let engine: Engine
        /// The index of the bus.
        public let index: BusIndex
    }
}

extension Engine.Mixer {
    /// The strip of `channel`.
    public subscript(channel: Channel) -> Engine.Strip { Engine.Strip(engine: engine, channel: channel) }

    /// The bus at index `bus`.
    public subscript(bus: BusIndex) -> Engine.Bus { Engine.Bus(engine: engine, index: bus) }

    /// The limiter of every bus, as last requested; `nil` if the engine was created without one, and setting it has no
    /// effect then.
    public var limiter: LimiterSettings? {
        get { engine.configuration.limiter == nil ? nil : engine.settings.limiter }
        nonmutating set {
            guard let newValue else { return }
            engine.attempt { () throws(EngineError) in try setLimiter(newValue) }
        }
    }

    /// Turns the limiter on or off and sets its ceiling, without a discontinuity. No effect if the engine was created
    /// without one.
    @discardableResult
    public func setLimiter(
        _ settings: LimiterSettings, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        guard LimiterSettings.ceilingRange.contains(settings.ceiling.rawValue) else {
            throw .invalidValue(name: "ceiling", value: settings.ceiling.rawValue)
        }
        let action = EngineAction.mixer(.limiter(isOn: settings.isOn, ceiling: Float(settings.ceiling.amplitude)))
        return try engine.send([action], at: moment) { $0.limiter = settings }
    }

    /// Resets the over indicators (samples over full scale) of every bus.
    @discardableResult
    public func resetOvers(at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.mixer(.resetOvers)], at: moment)
    }
}

extension Engine.Strip {
    /// The fader. Setting it is ``setGain(_:over:curve:at:)`` for the next block; see ``Engine/omittedChangeCount``.
    public var gain: Decibels {
        get { values.gain }
        nonmutating set { engine.attempt { () throws(EngineError) in try setGain(newValue) } }
    }

    /// The pan (balance): −1 is left only, 0 both channels unchanged, 1 right only.
    public var pan: Double {
        get { values.pan }
        nonmutating set { engine.attempt { () throws(EngineError) in try setPan(newValue) } }
    }

    /// Whether it is muted.
    public var isMuted: Bool {
        get { values.isMuted }
        nonmutating set { engine.attempt { () throws(EngineError) in try setMute(newValue) } }
    }

    /// Whether it is soloed: while any channel is, only soloed channels and the metronome are audible.
    public var isSoloed: Bool {
        get { values.isSoloed }
        nonmutating set { engine.attempt { () throws(EngineError) in try setSolo(newValue) } }
    }

    /// The bus that it is routed to.
    public var bus: BusIndex {
        get { values.bus }
        nonmutating set { engine.attempt { () throws(EngineError) in try setBus(newValue) } }
    }

    /// Its meter, after the fader, at the end of the last block; silence if the engine has no such channel.
    public var meter: MeterReading { engine.meter(of: channel) }

    /// Ramps the fader to `gain`, from where it is then.
    ///
    /// ```swift
    /// try engine.mixer[.track(0)].setGain(.silence, over: .beats(8), curve: .exponential, at: Bar.next)
    /// ```
    ///
    /// - Parameters:
    ///   - gain: the target.
    ///   - length: the length of the ramp.
    ///   - curve: the curve of the ramp, if it is longer than the shortest length.
    ///   - moment: when the ramp starts.
    /// - Returns: the command, as carried by events.
    /// - Throws: ``EngineError/invalidValue(name:value:)``, ``EngineError/unknownTrack(_:count:)`` or
    ///   ``EngineError/unknownStem(_:count:)`` for a channel that does not exist, or ``EngineError/busy(capacity:)``.
    @discardableResult
    public func setGain(
        _ gain: Decibels, over length: RampLength = .shortest, curve: Curve = .natural,
        at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        let index = try engine.index(of: channel)
        let ramp = try Engine.ramp(length, curve)
        let amplitude = Double(try Engine.amplitude(gain))
        let action = EngineAction.mixer(.set(.gain(ofChannel: index), target: amplitude, ramp))
        return try engine.send([action], at: moment) { $0.strips[index].gain = gain }
    }

    /// Ramps the pan to `pan`, from where it is then: −1 is left only, 0 both channels unchanged, 1 right only.
    ///
    /// - Parameters:
    ///   - pan: the target, −1 … 1.
    ///   - length: the length of the ramp.
    ///   - curve: the curve of the level of the channel that is attenuated, if the ramp is longer than the shortest
    ///     length.
    ///   - moment: when the ramp starts.
    /// - Returns: the command, as carried by events.
    /// - Throws: as ``setGain(_:over:curve:at:)`` does.
    @discardableResult
    public func setPan(
        _ pan: Double, over length: RampLength = .shortest, curve: Curve = .natural, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        guard (-1...1).contains(pan) else { throw .invalidValue(name: "pan", value: pan) }
        let index = try engine.index(of: channel)
        let ramp = try Engine.ramp(length, curve)
        let action = EngineAction.mixer(.set(.pan(ofChannel: index), target: Double(Float(pan)), ramp))
        return try engine.send([action], at: moment) { $0.strips[index].pan = pan }
    }

    /// Mutes or unmutes the channel.
    @discardableResult
    public func setMute(_ isOn: Bool, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        let index = try engine.index(of: channel)
        return try engine.send([.mixer(.channelMute(channel: index, isOn))], at: moment) {
            $0.strips[index].isMuted = isOn
        }
    }

    /// Solos the channel: while any channel is soloed, only soloed channels and the metronome are audible.
    @discardableResult
    public func setSolo(_ isOn: Bool, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        let index = try engine.index(of: channel)
        return try engine.send([.mixer(.channelSolo(channel: index, isOn))], at: moment) {
            $0.strips[index].isSoloed = isOn
        }
    }

    /// Routes the channel to another bus, with a crossfade.
    @discardableResult
    public func setBus(_ bus: BusIndex, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.check(bus)
        let index = try engine.index(of: channel)
        let action = EngineAction.mixer(.channelBus(channel: index, bus: bus.rawValue))
        return try engine.send([action], at: moment) { $0.strips[index].bus = bus }
    }

    var values: StripSettings {
        do throws(EngineError) {
            let index = try engine.index(of: channel)
            return engine.control.withLock { $0.settings.strips[index] }
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension Engine.Bus {
    /// The fader, as last requested. Setting it is ``setGain(_:over:curve:at:)`` for the next block; see
    /// ``Engine/omittedChangeCount``. It is silence if the engine has no such bus.
    public var gain: Decibels {
        get {
            let gains = engine.settings.busGains
            return gains.indices.contains(index.rawValue) ? gains[index.rawValue] : .silence
        }
        nonmutating set { engine.attempt { () throws(EngineError) in try setGain(newValue) } }
    }

    /// Its meter, at the end of the last block; silence if the engine has no such bus.
    public var meter: MeterReading {
        let buses = engine.state.buses
        return buses.indices.contains(index.rawValue) ? buses[index.rawValue] : .silence
    }

    /// Ramps the fader to `gain`, from where it is then; see ``Engine/Strip/setGain(_:over:curve:at:)``.
    @discardableResult
    public func setGain(
        _ gain: Decibels, over length: RampLength = .shortest, curve: Curve = .natural,
        at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try engine.check(index)
        let ramp = try Engine.ramp(length, curve)
        let amplitude = Double(try Engine.amplitude(gain))
        let action = EngineAction.mixer(.set(.gain(ofBus: index.rawValue), target: amplitude, ramp))
        return try engine.send([action], at: moment) { $0.busGains[index.rawValue] = gain }
    }
}
