import BarlineDSP
import BarlineTime

extension Engine {
    /// A channel's send to a bus: the channel at a level of the send's own, beside what goes to ``Strip/bus``.
    ///
    /// A monitor mix is a bus that all channels are sent to before their faders:
    ///
    /// ```swift
    /// for stem in 0..<8 {
    ///     let send = engine.mixer[.stem(StemIndex(stem))].send(to: phones)
    ///     send.isPreFader = true
    ///     send.level = stem == drums ? 0 : -9
    /// }
    /// ```
    ///
    /// Properties read as the latest requested value, even if it is scheduled for a future frame. Reading a send that
    /// the engine does not have is a programming error; changing it throws.
    public struct Send: Sendable {
        let engine: Engine
        /// The channel that is sent.
        public let channel: Channel
        /// The bus that it is sent to.
        public let bus: BusIndex
    }
}

extension Engine.Strip {
    /// The channel's send to `bus`, at `Decibels.silence` until it is set. The bus may be the channel's own, to which
    /// it then goes twice.
    public func send(to bus: BusIndex) -> Engine.Send { Engine.Send(engine: engine, channel: channel, bus: bus) }
}

extension Engine.Send {
    /// The level. Setting it is ``setLevel(_:over:curve:at:)`` for the next block; see ``Engine/omittedChangeCount``.
    public var level: Decibels {
        get { values.level }
        nonmutating set { engine.attempt { () throws(EngineError) in try setLevel(newValue) } }
    }

    /// Whether it takes the channel before its fader and pan, so that it does not follow them. Either way it takes the
    /// channel after its effects, and is silent while the channel is: muted, or not soloed while another one is.
    public var isPreFader: Bool {
        get { values.isPreFader }
        nonmutating set { engine.attempt { () throws(EngineError) in try setPreFader(newValue) } }
    }

    /// Ramps the level to `level`, from where it is then; see ``Engine/Strip/setGain(_:over:curve:at:)``, whose
    /// parameters and errors it has, and ``EngineError/unknownBus(_:count:)``.
    @discardableResult
    public func setLevel(
        _ level: Decibels, over length: RampLength = .shortest, curve: Curve = .natural,
        at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try engine.check(bus)
        let index = try engine.index(of: channel)
        let ramp = try Engine.ramp(length, curve)
        let parameter = ParameterID.send(ofChannel: index, toBus: bus.rawValue)
        let action = EngineAction.mixer(.set(parameter, target: Double(try Engine.amplitude(level)), ramp))
        return try engine.send([action], at: moment) {
            $0.strips[index].sends[bus, default: SendSettings()].level = level
        }
    }

    /// Takes the channel before or after its fader, with a crossfade.
    @discardableResult
    public func setPreFader(_ isOn: Bool, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.check(bus)
        let index = try engine.index(of: channel)
        let action = EngineAction.mixer(.sendPreFader(channel: index, bus: bus.rawValue, isOn))
        return try engine.send([action], at: moment) {
            $0.strips[index].sends[bus, default: SendSettings()].isPreFader = isOn
        }
    }

    private var values: SendSettings {
        do throws(EngineError) { try engine.check(bus) } catch { preconditionFailure("\(error)") }
        return Engine.Strip(engine: engine, channel: channel).values.sends[bus] ?? SendSettings()
    }
}
