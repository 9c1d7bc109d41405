import BarlineTime
import CRealtime

/// The length of a ramp of a fader, pan, parameter or the tempo; never less than the 5 ms that avoid a click.
public enum RampLength: Hashable, Sendable, BitwiseCopyable {
    /// 5 ms; for the tempo, at once.
    case shortest
    /// Seconds, 0 or more.
    case seconds(Double)
    /// Quarter notes, 0 or more, at the tempo of the timeline when the ramp begins; its own ramp is taken into account.
    case beats(Double)

    /// Whether a change that needs no fade takes effect at once.
    var isNone: Bool {
        switch self {
        case .shortest: true
        case .seconds(let number), .beats(let number): number == 0
        }
    }

    /// The range of lengths, in seconds or quarter notes.
    public static let range: ClosedRange<Double> = 0...1_000_000
}

extension Timeline {
    /// The length of a ramp that starts now, in frames: at least a fade, except before the first frame.
    @_noLocks func rampFrames(over length: RampLength) -> Int64 {
        if now.rawValue == 0, case .shortest = length { return 0 }
        let frames = self.frames(of: length)
        return frames > fadeFrames ? frames : fadeFrames
    }

    /// The change of tempo, as a ratio, below which the series of the logarithmic mean is more exact than the
    /// logarithm.
    private static var closeRatio: Double { @_noLocks get { 1e-3 } }

    /// The number of quarter notes of a tempo ramp to `target`, which is linear in beats.
    ///
    /// From a tempo of `a` to one of `b`, a beat takes 60 / tempo; over `n` beats that adds up to 60 n · ln(b / a) / (b
    /// − a) seconds. The inverse has the logarithmic mean of the two, whose series is used where they are close.
    @_noLocks func rampBeats(over length: RampLength, to target: Tempo) -> Double {
        switch length {
        case .shortest: return 0
        case .beats(let beats): return beats
        case .seconds(let seconds):
            let start = tempo.tempo(at: now).beatsPerMinute
            let change = target.beatsPerMinute / start - 1
            let isClose = change < Timeline.closeRatio && change > -Timeline.closeRatio
            let mean =
                isClose
                ? 1 + change / 2 - change * change / 12 + change * change * change / 24 : change / rt_log1p(change)
            return Tempo.beats(in: seconds, at: start * mean)
        }
    }

    @_noLocks private func frames(of length: RampLength) -> Int64 {
        switch length {
        case .shortest: return fadeFrames
        case .seconds(let seconds): return sampleRate.frames(seconds: seconds)
        case .beats(let beats):
            if isRolling { return tempo.frame(of: Beat(rawValue: currentBeat.rawValue + beats)) - now }
            return sampleRate.frames(seconds: tempo.tempo(at: now).seconds(of: beats))
        }
    }
}
