import BarlineDSP
import BarlineTime

/// The metronome. It follows the transport and whatever changes tempo or metre; nothing here moves the grid, and a
/// click that sounds is never cut.
extension Engine {
    /// Turns the metronome on or off.
    @discardableResult
    public func setMetronome(_ isOn: Bool, at frame: FrameTime? = nil) throws(EngineError) -> CommandID {
        try send([.metronome(isOn)], at: frame)
    }

    /// Changes everything about what the metronome plays.
    ///
    /// - Throws: ``EngineError/invalidValue(name:value:)`` for what is out of its range, or
    ///   ``EngineError/busy(capacity:)``.
    @discardableResult
    public func setMetronome(_ settings: MetronomeSettings, at frame: FrameTime? = nil) throws(EngineError) -> CommandID
    {
        try check(settings)
        return try send(
            [
                .metronome(settings.isEnabled), .accentPattern(settings.pattern), .subdivision(settings.subdivision),
                .swing(settings.swing), .countIn(settings.countInBars),
            ], at: frame)
    }

    /// Changes some of what the metronome plays, at one moment; what is `nil` stays as it is.
    @discardableResult
    public func changeMetronome(
        isOn: Bool? = nil, gain: Decibels? = nil, pattern: AccentPattern? = nil, subdivision: Int? = nil,
        swing: Double? = nil, countInBars: Int? = nil, at frame: FrameTime? = nil
    ) throws(EngineError) -> CommandID {
        try check(
            MetronomeSettings(subdivision: subdivision ?? 1, swing: swing ?? 0.5, countInBars: countInBars ?? 0))
        var actions: [Action] = []
        if let isOn { actions.append(.metronome(isOn)) }
        if let gain {
            actions.append(.channelGain(channel: try index(of: .metronome), try amplitude(gain)))
        }
        if let pattern { actions.append(.accentPattern(pattern)) }
        if let subdivision { actions.append(.subdivision(subdivision)) }
        if let swing { actions.append(.swing(swing)) }
        if let countInBars { actions.append(.countIn(countInBars)) }
        return try send(actions, at: frame)
    }

    /// Changes how the metronome sounds, from the next click on. What it needs is prepared here, off the audio thread,
    /// at the rate that the timeline has now.
    public func setClicks(_ sounds: ClickSounds) throws(EngineError) {
        let rate = state.sampleRate
        for frequency in [sounds.accentFrequency, sounds.beatFrequency] {
            guard ClickSounds.frequencyRange.contains(frequency), frequency < rate.hertz / 2 else {
                throw .invalidValue(name: "click frequency", value: frequency)
            }
        }
        for level in [sounds.accentLevel, sounds.beatLevel] where !ClickSounds.levelRange.contains(level) {
            throw .invalidValue(name: "click level", value: level)
        }
        try install(PreparedClicks(sounds, sampleRate: rate))
    }

    /// Taps the tempo: the second tap and every later one sets it to the mean of the intervals between the last eight.
    /// A pause of more than 3 s begins anew.
    @discardableResult
    public func tapTempo(at frame: FrameTime? = nil) throws(EngineError) -> CommandID { try send([.tap], at: frame) }

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
