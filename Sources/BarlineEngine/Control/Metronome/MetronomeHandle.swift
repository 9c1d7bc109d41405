import BarlineDSP
import BarlineTime

extension Engine {
    /// The click.
    public var metronome: Metronome { Metronome(engine: self) }

    /// The metronome of an engine, as ``Engine/metronome`` returns it. It follows the transport, tempo and metre;
    /// nothing here moves the grid, and a click in progress is never cut off.
    ///
    /// ```swift
    /// engine.metronome.isOn = true
    /// try engine.metronome.change(subdivision: 2, swing: 0.6)
    /// ```
    public struct Metronome: Sendable {
        let engine: Engine
    }
}

extension Engine.Metronome {
    /// Whether it plays. Setting it is ``setOn(_:at:)`` for the next block; see ``Engine/omittedChangeCount``.
    public var isOn: Bool {
        get { settings.isEnabled }
        nonmutating set { engine.attempt { () throws(EngineError) in try setOn(newValue) } }
    }

    /// The latest requested settings. Setting them is ``setSettings(_:at:)`` for the next block.
    public var settings: MetronomeSettings {
        get { engine.settings.metronome }
        nonmutating set { engine.attempt { () throws(EngineError) in try setSettings(newValue) } }
    }

    /// Its mixer strip.
    public var strip: Engine.Strip { engine.mixer[.metronome] }

    /// Turns the metronome on or off.
    @discardableResult
    public func setOn(_ isOn: Bool, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.metronome(.enable(isOn))], at: moment) { $0.metronome.isEnabled = isOn }
    }

    /// Changes all settings of the metronome.
    ///
    /// - Throws: ``EngineError/invalidValue(name:value:)`` for a value out of its range, or
    ///   ``EngineError/busy(capacity:)``.
    @discardableResult
    public func setSettings(
        _ settings: MetronomeSettings, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try check(settings)
        let actions: [EngineAction] = [
            .metronome(.enable(settings.isEnabled)), .metronome(.pattern(settings.pattern)),
            .metronome(.subdivision(settings.subdivision)),
            .metronome(.swing(settings.swing)), .transport(.countIn(settings.countInBars)),
        ]
        return try engine.send(actions, at: moment) { $0.metronome = settings }
    }

    /// Changes some settings of the metronome at one moment; those that are `nil` stay unchanged.
    @discardableResult
    public func change(
        isOn: Bool? = nil, gain: Decibels? = nil, pattern: AccentPattern? = nil, subdivision: Int? = nil,
        swing: Double? = nil, countInBars: Int? = nil, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try check(
            MetronomeSettings(subdivision: subdivision ?? 1, swing: swing ?? 0.5, countInBars: countInBars ?? 0))
        let channel = try engine.index(of: .metronome)
        var actions: [EngineAction] = []
        if let isOn { actions.append(.metronome(.enable(isOn))) }
        if let gain {
            let amplitude = Double(try Engine.amplitude(gain))
            actions.append(.mixer(.set(.gain(ofChannel: channel), target: amplitude)))
        }
        if let pattern { actions.append(.metronome(.pattern(pattern))) }
        if let subdivision { actions.append(.metronome(.subdivision(subdivision))) }
        if let swing { actions.append(.metronome(.swing(swing))) }
        if let countInBars { actions.append(.transport(.countIn(countInBars))) }
        return try engine.send(actions, at: moment) { settings in
            if let isOn { settings.metronome.isEnabled = isOn }
            if let gain { settings.strips[channel].gain = gain }
            if let pattern { settings.metronome.pattern = pattern }
            if let subdivision { settings.metronome.subdivision = subdivision }
            if let swing { settings.metronome.swing = swing }
            if let countInBars { settings.metronome.countInBars = countInBars }
        }
    }

    /// Changes the metronome's sounds, from the next click on. They are prepared here, off the audio thread, at the
    /// timeline's current sample rate.
    ///
    /// - Complexity: O(*n*) in the frames of the clicks.
    public func setClicks(_ sounds: ClickSounds) throws(EngineError) {
        let rate = engine.sampleRate
        for frequency in [sounds.accentFrequency, sounds.beatFrequency] {
            guard ClickSounds.frequencyRange.contains(frequency), frequency < rate.hertz / 2 else {
                throw .invalidValue(name: "click frequency", value: frequency)
            }
        }
        for level in [sounds.accentLevel, sounds.beatLevel] where !ClickSounds.levelRange.contains(level) {
            throw .invalidValue(name: "click level", value: level)
        }
        let clicks = PreparedClicks(sounds, sampleRate: rate)
        try engine.withControl { state throws(EngineError) in
            try engine.push([.metronome(.clicks(clicks.content))], at: nil, &state)
            // The former ones are kept until the audio thread has retired them.
            state.replaced[UInt(bitPattern: state.clicks.content)] = state.clicks
            state.clicks = clicks
        }
    }

    private func check(_ settings: MetronomeSettings) throws(EngineError) {
        guard MetronomeSettings.subdivisionRange.contains(settings.subdivision) else {
            throw .invalidValue(name: "subdivision", value: Double(settings.subdivision))
        }
        guard MetronomeSettings.swingRange.contains(settings.swing) else {
            throw .invalidValue(name: "swing", value: settings.swing)
        }
        guard MetronomeSettings.countInRange.contains(settings.countInBars) else {
            throw .invalidValue(name: "count-in", value: Double(settings.countInBars))
        }
    }
}

extension Engine {
    /// The next sixteen beats that were not rendered yet; none while the transport is stopped.
    public var upcomingBeats: [UpcomingBeat] { state.upcomingBeats }
}
