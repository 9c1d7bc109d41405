import BarlineFiles
import Foundation

/// A tempo stated by a file or its name: a prior that the audio may overrule.
public struct TempoHint: Hashable, Sendable {
    /// The tempo in BPM; `nil` if it is only stated that the file is a loop.
    public let bpm: Double?
    /// Its source.
    public let source: TempoEstimate.Source

    /// Creates a hint.
    public init(bpm: Double?, source: TempoEstimate.Source) {
        self.bpm = bpm
        self.source = source
    }

    /// The hints in a file's name: a tempo next to "bpm", and words for loops as in `loop_7.wav` or `Break 02.flac`.
    ///
    /// - Parameter path: the file's path, whose last component is read.
    /// - Returns: the hints.
    /// - Complexity: O(*n*) in the characters of the name.
    public static func inName(of path: String) -> [TempoHint] {
        let name = path.lastPathName
        let tempo = AudioMetadata.tempo(inName: name).map { [TempoHint(bpm: $0, source: .name)] } ?? []
        let words = #"(?<![a-z])(drum)?(loop|beat|break|breakbeat|groove)s?(?![a-z])"#
        let stem = name.withoutPathEnding
        guard stem.range(of: words, options: [.regularExpression, .caseInsensitive]) != nil else { return tempo }
        return tempo + [TempoHint(bpm: nil, source: .name)]
    }

    /// How many times likelier a tempo becomes that agrees: titles are seldom wrong by anything but an octave.
    func weight(of bpm: Double) -> Double {
        guard let claimed = self.bpm else { return 1 }
        let octaves = abs(log2(bpm / claimed))
        if octaves < 0.02 { return 40 }
        if abs(octaves - 1) < 0.02 { return 3 }
        return 1
    }
}

extension LogisticModel {
    /// The probability that there is a tempo, by what is heard and what is claimed.
    static func tempoProbability(_ evidence: MusicEvidence, hints: [TempoHint]) -> Double {
        let likelihood = music.probability(evidence.values)
        return hints.isEmpty ? likelihood : raised(likelihood, odds: 20)
    }

    /// The probability that a sound is cut on its beats, by what is heard and what is claimed.
    static func cutProbability(_ cut: LoopCut, hints: [TempoHint]) -> Double {
        let likelihood = loopCut.probability(cut.values)
        return hints.contains { $0.bpm == nil } ? raised(likelihood, odds: 4) : likelihood
    }

    /// The probability that a loop's first beat is on its first frame, by what is heard and what is claimed.
    static func startProbability(_ phase: LoopPhase, hints: [TempoHint]) -> Double {
        let likelihood = loopStart.probability(phase.values)
        return hints.contains { $0.bpm == nil } ? raised(likelihood, odds: 4) : likelihood
    }

    private static func raised(_ probability: Double, odds: Double) -> Double {
        odds * probability / (1 + (odds - 1) * probability)
    }
}
