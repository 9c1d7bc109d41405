import BarlineAnalysis
import BarlineEngine
import BarlineFiles
import BarlineSession
import Foundation
import Synchronization

/// The tempos estimated in the session's clips, as a whole, for the page.
final class AnalysisStore: Sendable {
    private struct Key: Hashable {
        let path: String
        let frames: Int
        let identity: ObjectIdentifier

        init(_ audio: AudioClip) {
            path = audio.path
            frames = audio.samples.frameCount
            identity = ObjectIdentifier(audio.samples)
        }
    }

    private let listener: TempoListener
    private let estimates = Mutex<[Key: TempoEstimate]>([:])
    private let generation = Atomic<Int>(0)
    private let seen = Mutex(Seen())

    /// The clips that were looked at last.
    private struct Seen {
        var keys: [String: Key] = [:]
        var revision: Int?
    }

    init(_ listener: TempoListener) { self.listener = listener }

    /// Counts the estimates.
    var revision: Int { generation.load(ordering: .relaxed) }

    func known(_ audio: AudioClip) -> TempoEstimate? { estimates.withLock { $0[Key(audio)] } }

    /// Listens to a clip, where nobody has.
    func estimate(_ audio: AudioClip) async -> TempoEstimate {
        if let known = known(audio) { return known }
        let estimate = await listener.estimate(audio)
        estimates.withLock { $0[Key(audio)] = estimate }
        generation.wrappingAdd(1, ordering: .relaxed)
        return estimate
    }

    /// Listens to all clips, one after the other, and forgets those that are gone.
    ///
    /// - Complexity: O(*m*) where *m* clips have changed and their audio has not; else O(*n*).
    func catchUp(_ player: SessionPlayer) async {
        let revision = seen.withLock { $0.revision }
        let (clips, now, changed) = player.clips(since: revision)
        let isAnalysed = seen.withLock { seen in
            guard let changed, seen.revision == revision else { return false }
            guard changed.allSatisfy({ clips[$0]?.audio.map(Key.init) == seen.keys[$0] }) else { return false }
            seen.revision = now
            return true
        }
        if isAnalysed { return }
        let audio = clips.dictionary.compactMapValues(\.audio)
        let keys = audio.mapValues(Key.init)
        let kept = Set(keys.values)
        estimates.withLock { estimates in estimates = estimates.filter { kept.contains($0.key) } }
        for audio in audio.values where known(audio) == nil { _ = await estimate(audio) }
        seen.withLock { $0 = Seen(keys: keys, revision: now) }
    }

    /// Differs for files of other samples, as far as a sparse sample of them shows.
    static func version(_ audio: AudioClip) -> String {
        var hash = FNV1a(audio.path)
        let samples = audio.samples
        hash.add(UInt64(samples.frameCount))
        if let partial = samples.partial {
            let step = ClipWindow.chunkFrames
            for first in stride(from: 0, to: samples.frameCount, by: step) {
                hash.add(UInt64(partial.peak(in: first..<min(first + step, samples.frameCount)).bitPattern))
            }
            return String(hash.value, radix: 36)
        }
        for frame in stride(from: 0, to: samples.frameCount, by: max(1, samples.frameCount / 997)) {
            hash.add(UInt64(samples.left[frame].bitPattern))
        }
        return String(hash.value, radix: 36)
    }

    static func summary(_ estimate: TempoEstimate) -> JSONValue {
        [
            "bpm": .optional(estimate.bpm), "confidence": .number(estimate.confidence),
            "alternatives": .array(
                estimate.alternatives.map { ["bpm": .number($0.bpm), "confidence": .number($0.confidence)] }),
            "tempoCurve": .array(estimate.tempoCurve.map { ["time": .number($0.time), "bpm": .number($0.bpm)] }),
            "loopBeats": .optional(estimate.loopBeats), "beatsPerBar": .optional(estimate.beatsPerBar.map(Double.init)),
            "source": .string(estimate.source.rawValue), "absence": .text(estimate.absence?.rawValue),
        ]
    }
}
