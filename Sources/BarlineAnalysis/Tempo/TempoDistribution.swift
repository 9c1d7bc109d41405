import BarlineTime
import Foundation

/// The probability of each candidate for a sound's tempo.
struct TempoDistribution {
    struct Candidate {
        var bpm: Double
        /// The number of beats where the candidate follows from the length.
        var beats: Double?
        var probability: Double
    }

    /// Likeliest first.
    private(set) var candidates: [Candidate]

    /// The tempos that stand out of a profile.
    static func ofTempos(
        _ profile: PeriodicityProfile, onsets: OnsetCount, activity: BeatActivity
    ) -> TempoDistribution {
        let tempos = TempoCandidates.tempos(in: profile, activity: activity)
        let scores = tempos.map { tempo in
            Classifier.tempos.score(
                TempoFeatures(bpm: tempo, profile: profile, onsets: onsets, activity: activity).values)
        }
        return TempoDistribution(
            zip(tempos, Classifier.probabilities(scores)).map {
                Candidate(bpm: $0, beats: nil, probability: $1)
            })
    }

    /// The numbers of beats that a loop could have.
    static func ofBeats(_ sound: ShortSound) -> TempoDistribution {
        let counts = TempoCandidates.beats(inSeconds: sound.seconds)
        let scores = counts.map { beats in
            var features = TempoFeatures(
                bpm: Tempo.beatsPerMinute(of: beats, in: sound.seconds), profile: sound.circular, onsets: sound.onsets,
                activity: sound.looped.activity)
            features.addLoop(beats: beats, profile: sound.circular, free: sound.windowed)
            return Classifier.beatCounts.score(features.values)
        }
        return TempoDistribution(
            zip(counts, Classifier.probabilities(scores)).map {
                Candidate(bpm: Tempo.beatsPerMinute(of: $0, in: sound.seconds), beats: $0, probability: $1)
            })
    }

    private init(_ candidates: [Candidate]) { self.candidates = candidates.sorted { $0.probability > $1.probability } }

    /// The probability of tempos within `reach` octaves of `bpm`.
    func probability(near bpm: Double, reach: Double = 0.025) -> Double {
        candidates.reduce(0) { abs(log2($1.bpm / bpm)) < reach ? $0 + $1.probability : $0 }
    }

    /// What is likely where the hints are believed as far as they deserve.
    func weighted(by hints: [TempoHint]) -> TempoDistribution {
        guard !hints.isEmpty else { return self }
        let weighted = candidates.map { candidate in
            var changed = candidate
            for hint in hints { changed.probability *= hint.weight(of: candidate.bpm) }
            return changed
        }
        return TempoDistribution(weighted).normalized()
    }

    /// What is likely where another view, which errs in other places, agrees.
    func supported(by other: TempoDistribution) -> TempoDistribution {
        TempoDistribution(
            candidates.map { candidate in
                let agreement = (other.probability(near: candidate.bpm) + 0.03).squareRoot()
                return Candidate(
                    bpm: candidate.bpm, beats: candidate.beats, probability: candidate.probability * agreement)
            }
        ).normalized()
    }

    /// Two views of one sound: what each finds, as far as each is believed.
    static func mixture(_ first: TempoDistribution, _ weight: Double, _ second: TempoDistribution) -> TempoDistribution
    {
        var merged = first.candidates.map {
            Candidate(bpm: $0.bpm, beats: $0.beats, probability: $0.probability * weight)
        }
        for candidate in second.candidates {
            let share = candidate.probability * (1 - weight)
            // A tempo near one that follows from the length is that one, where the length is to be believed.
            let near = merged.indices.min {
                abs(log2(merged[$0].bpm / candidate.bpm)) < abs(log2(merged[$1].bpm / candidate.bpm))
            }
            if let near, abs(log2(merged[near].bpm / candidate.bpm)) < 0.025 {
                merged[near].probability += share
                if weight < 0.5 {
                    merged[near].bpm = candidate.bpm
                    merged[near].beats = nil
                }
            } else {
                merged.append(Candidate(bpm: candidate.bpm, beats: nil, probability: share))
            }
        }
        return TempoDistribution(merged).normalized()
    }

    private func normalized() -> TempoDistribution {
        let sum = max(1e-12, candidates.reduce(0) { $0 + $1.probability })
        return TempoDistribution(
            candidates.map { Candidate(bpm: $0.bpm, beats: $0.beats, probability: $0.probability / sum) })
    }
}
