import BarlineAnalysis
import BarlineFiles
import Foundation

/// Listens to clips for their tempo, to each region once, in this run of the program and the ones before.
package actor TempoListener {
    private struct Key: Hashable {
        let samples: ObjectIdentifier
        let range: Range<Int>
    }

    private struct Entry {
        // Keeps the identity in the key from being given to other samples.
        let audio: AudioClip
        let task: Task<TempoEstimate, any Error>
    }

    private struct AttackKey: Hashable {
        let key: Key
        let loops: Bool
    }

    private struct AttackEntry {
        let audio: AudioClip
        let task: Task<[Int], Never>
    }

    private var entries: [Key: Entry] = [:]
    private var attackEntries: [AttackKey: AttackEntry] = [:]

    /// Creates a listener that has heard nothing.
    init() {}

    /// What is heard in `range` of a clip, or in all of it.
    package func estimate(_ audio: AudioClip, range: Range<Int>? = nil) async -> TempoEstimate {
        let range = range ?? 0..<audio.samples.frameCount
        let key = Key(samples: ObjectIdentifier(audio.samples), range: range)
        if let entry = entries[key], let estimate = try? await entry.task.value { return estimate }
        let task = Task.detached { try await TempoListener.listen(audio, range) }
        entries[key] = Entry(audio: audio, task: task)
        // Who still waits for a clip that was cancelled meanwhile gets an answer all the same.
        return (try? await task.value)
            ?? TempoAnalysis.estimate(audio.samples, range: range, hints: TempoHint.inName(of: audio.path))
    }

    /// Where attacks begin in `range` of a clip.
    func attacks(_ audio: AudioClip, range: Range<Int>, loops: Bool) async -> [Int] {
        let key = AttackKey(key: Key(samples: ObjectIdentifier(audio.samples), range: range), loops: loops)
        if let entry = attackEntries[key] { return await entry.task.value }
        let task = Task.detached { await TempoListener.listen(forAttacksIn: audio, range, loops: loops) }
        attackEntries[key] = AttackEntry(audio: audio, task: task)
        return await task.value
    }

    /// Forgets all clips but those whose samples are in use, and stops listening to them.
    func keep(_ samples: Set<ObjectIdentifier>) {
        for (key, entry) in entries where !samples.contains(key.samples) { entry.task.cancel() }
        entries = entries.filter { samples.contains($0.key.samples) }
        attackEntries = attackEntries.filter { samples.contains($0.key.key.samples) }
    }

    /// Takes seconds for a long clip: not on the threads that tasks share.
    private static func listen(forAttacksIn audio: AudioClip, _ range: Range<Int>, loops: Bool) async -> [Int] {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                let samples = audio.samples.whole
                let attacks = AnalysisCache.standard.attacks(samples, range: range, loops: loops) {
                    AttackAnalysis.attacks(in: samples, range: range, loops: loops)
                }
                continuation.resume(returning: attacks)
            }
        }
    }

    private static func listen(_ audio: AudioClip, _ range: Range<Int>) async throws -> TempoEstimate {
        try await BackgroundQueue.shared.run { flag in
            let hints = TempoHint.inName(of: audio.path)
            return try AnalysisCache.standard.estimate(audio.samples, range: range, hints: hints) {
                try TempoAnalysis.estimate(audio.samples, range: range, hints: hints) { _ in try flag.check() }
            }
        }
    }
}
