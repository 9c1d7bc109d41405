import BarlineAnalysis
import BarlineFiles
import Foundation

/// Listens to clips for their tempo, to each region once.
public actor TempoListener {
    private struct Key: Hashable {
        let samples: ObjectIdentifier
        let range: Range<Int>
    }

    private struct Entry {
        // Keeps the identity in the key from being given to other samples.
        let audio: AudioClip
        let task: Task<TempoEstimate, Never>
    }

    private var entries: [Key: Entry] = [:]

    /// Creates a listener that has heard nothing.
    public init() {}

    /// What is heard in `range` of a clip, or in all of it.
    public func estimate(_ audio: AudioClip, range: Range<Int>? = nil) async -> TempoEstimate {
        let range = range ?? 0..<audio.samples.frameCount
        let key = Key(samples: ObjectIdentifier(audio.samples), range: range)
        if let entry = entries[key] { return await entry.task.value }
        let task = Task.detached { await TempoListener.listen(audio, range) }
        entries[key] = Entry(audio: audio, task: task)
        return await task.value
    }

    /// Forgets all clips but those whose samples are in use.
    func keep(_ samples: Set<ObjectIdentifier>) {
        entries = entries.filter { samples.contains($0.key.samples) }
    }

    // Listening takes milliseconds to seconds: not on the threads that run every other task.
    private static func listen(_ audio: AudioClip, _ range: Range<Int>) async -> TempoEstimate {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(returning: TempoAnalysis.estimate(audio.samples, range: range))
            }
        }
    }
}
