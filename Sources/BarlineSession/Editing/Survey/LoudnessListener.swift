import BarlineAnalysis
import BarlineDSP
import Foundation

/// The loudness of a sound as it is played: one channel is heard from both sides.
struct SoundLevel: Sendable {
    /// Integrated loudness (EBU R 128) in LUFS; minus infinity for silence, and for what is shorter than 0.4 s.
    let loudness: Double
    /// The true peak in dB relative to full scale; infinite where nobody asked for it.
    let truePeak: Double
}

/// Measures clips for their loudness, each region once for as long as its samples are in memory.
actor LoudnessListener {
    private struct Key: Hashable {
        let samples: ObjectIdentifier
        let range: Range<Int>
    }

    private struct Entry {
        // Distinguishes samples from others at the address of freed ones.
        weak var samples: SampleBuffer?
        let loudness: Double
    }

    private var entries: [Key: Entry] = [:]

    /// The integrated loudness of a part of a file in LUFS.
    func loudness(of samples: SampleBuffer, _ range: Range<Int>) async -> Double {
        let key = Key(samples: ObjectIdentifier(samples), range: range)
        if let entry = entries[key], entry.samples === samples { return entry.loudness }
        let loudness = await LoudnessListener.measure(samples, range, truePeak: false).loudness
        entries = entries.filter { $0.value.samples != nil }
        entries[key] = Entry(samples: samples, loudness: loudness)
        return loudness
    }

    /// Measures a part of a file, on a thread that may take its time.
    static func measure(_ samples: SampleBuffer, _ range: Range<Int>, truePeak: Bool) async -> SoundLevel {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(returning: level(of: samples, range, truePeak: truePeak))
            }
        }
    }

    private static func level(of samples: SampleBuffer, _ range: Range<Int>, truePeak: Bool) -> SoundLevel {
        guard let meter = LoudnessMeter(sampleRate: samples.sampleRate, measuresTruePeak: truePeak) else {
            return SoundLevel(loudness: -.infinity, truePeak: .infinity)
        }
        samples.forEachPiece(of: range, frames: pieceFrames) { left, right, count in
            meter.add(left: left, right: right, frames: count)
        }
        return SoundLevel(loudness: meter.integrated, truePeak: truePeak ? meter.truePeak : .infinity)
    }

    private static let pieceFrames = 1 << 16
}
