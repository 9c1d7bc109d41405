import BarlineTime

/// How long a parameter is on its way to its target; never less than the 5 ms that keep it from clicking.
public enum RampLength: Hashable, Sendable, BitwiseCopyable {
    /// 5 ms.
    case shortest
    /// Seconds, 0 or more.
    case seconds(Double)
    /// Quarter notes, 0 or more, at the tempo of the timeline when the ramp begins; its own ramp is taken into account.
    case beats(Double)

    /// The lengths that can be asked for.
    public static let range: ClosedRange<Double> = 0...1_000_000
}

extension Timeline {
    /// How long a parameter that is set now is on its way: at least a fade, but for what is set before the first frame.
    @_noLocks func rampFrames(of action: EffectAction) -> Int64 {
        guard case .set(_, _, _, let length) = action else { return 0 }
        if now.rawValue == 0, case .shortest = length { return 0 }
        let frames = self.frames(of: length)
        return frames > fadeFrames ? frames : fadeFrames
    }

    @_noLocks private func frames(of length: RampLength) -> Int64 {
        switch length {
        case .shortest: return fadeFrames
        case .seconds(let seconds): return sampleRate.frames(seconds: seconds)
        case .beats(let beats):
            if isRolling { return tempo.frame(of: Beat(rawValue: currentBeat.rawValue + beats)) - now }
            return sampleRate.frames(seconds: beats * 60 / tempo.tempo(at: now).beatsPerMinute)
        }
    }
}
