import BarlineAnalysis
import BarlineFiles
import BarlineSession
import Foundation
import Synchronization

/// What was heard in the session's clips, as a whole, for the page.
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
    private let heard = Mutex<[Key: TempoEstimate]>([:])
    private let generation = Atomic<Int>(0)

    init(_ listener: TempoListener) { self.listener = listener }

    /// Counts what was heard.
    var revision: Int { generation.load(ordering: .relaxed) }

    func known(_ audio: AudioClip) -> TempoEstimate? { heard.withLock { $0[Key(audio)] } }

    /// Listens to a clip, where nobody has.
    func estimate(_ audio: AudioClip) async -> TempoEstimate {
        if let known = known(audio) { return known }
        let estimate = await listener.estimate(audio)
        heard.withLock { $0[Key(audio)] = estimate }
        generation.wrappingAdd(1, ordering: .relaxed)
        return estimate
    }

    /// Listens to all clips, one after the other, and forgets those that are gone.
    func catchUp(_ player: SessionPlayer) async {
        let clips = player.clips.values.compactMap(\.audio)
        let keys = Set(clips.map(Key.init))
        heard.withLock { heard in heard = heard.filter { keys.contains($0.key) } }
        for audio in clips where known(audio) == nil { _ = await estimate(audio) }
    }

    /// Differs for files of other samples, as far as a sparse sample of them shows.
    static func version(_ audio: AudioClip) -> String {
        var hash = FNV1a(audio.path)
        let samples = audio.samples
        hash.add(UInt64(samples.frameCount))
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
