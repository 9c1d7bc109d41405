import BarlineTime

/// The effects of the mixer's strips and buses.
extension Mixer {
    /// Performs a chain command: the chains are those of the channels, then those of the buses. `fadeFrames` is the
    /// length of fades. Before the first frame effects are present at once, without fading in.
    @_noLocks mutating func perform(
        _ action: Chain.Action, onChain chain: Int, at now: FrameTime, fadeFrames: Int64
    ) {
        assert(chain >= 0 && chain < layout.count + busCount, "the chain is one of the mixer's")
        let fade = now.rawValue == 0 ? 0 : fadeFrames
        hasEffects = true
        switch action {
        case .insert(let effect, let identity, let index, let isBypassed):
            _ = effect.run(.prepare(sampleRate, at: now))
            chains[chain].insert(
                effect, identity, at: index, isBypassed: isBypassed, now: now, fadeFrames: fade, retired: retired)
        case .replace(let old, let effect, let identity, let isBypassed):
            _ = effect.run(.prepare(sampleRate, at: now))
            chains[chain].replace(
                old, with: effect, identity, isBypassed: isBypassed, now: now, fadeFrames: fade, retired: retired)
        case .remove(let number): chains[chain].remove(number, now: now, fadeFrames: fade)
        case .move(let number, let index): chains[chain].move(number, to: index, now: now, fadeFrames: fade)
        case .bypass(let number, let isOn): chains[chain].bypass(number, isOn, now: now, fadeFrames: fade)
        }
    }

    /// Whether an effect rings out, fades, or has a ramping parameter. Those of channels that are not in use are never
    /// processed.
    var areEffectsActive: Bool {
        @_noLocks get {
            if !hasEffects { return false }
            for channel in 0..<channelCount where !chains[channel].isIdle { return true }
            for bus in 0..<busCount where !chains[layout.count + bus].isIdle { return true }
            return false
        }
    }

    /// Processes a slice through a chain.
    @_noLocks func process(_ signal: StereoBuffer, chain: Int, _ slice: BlockSlice) {
        chains[chain].process(signal, from: slice.start, frames: slice.count, dry: dry, retired: retired)
    }
}
