import BarlineDSP
import Foundation

/// Loads clips in the background, and shares the samples of files that are loaded repeatedly.
public actor AudioClipLoader {
    private struct Key: Hashable {
        let path: String
        let file: UInt64
        let size: Int64
        let modified: Int64
    }

    private struct Entry {
        weak var samples: SampleBuffer?
        let metadata: AudioMetadata
    }

    private var entries: [Key: Entry] = [:]
    private var loading: [Key: Task<Result<AudioClip, AudioFileError>, Never>] = [:]

    /// Creates a loader.
    public init() {}

    /// Loads the clip at `path`, or returns the one in memory if the file has not changed since.
    ///
    /// - Throws: ``AudioFileError``.
    /// - Complexity: O(*n*) in the frames of the file, unless it is in memory.
    public func load(_ path: String) async throws(AudioFileError) -> AudioClip {
        let key = AudioClipLoader.key(path)
        if let entry = entries[key], let samples = entry.samples {
            return AudioClip(path: path, samples: samples, metadata: entry.metadata)
        }
        let task = loading[key] ?? Task.detached { await AudioClipLoader.decode(path) }
        loading[key] = task
        let result = await task.value
        loading[key] = nil
        let clip = try result.get()
        entries[key] = Entry(samples: clip.samples, metadata: clip.metadata)
        return clip
    }

    private static func key(_ path: String) -> Key {
        var status = stat()
        guard stat(path, &status) == 0 else { return Key(path: path, file: 0, size: -1, modified: 0) }
        #if canImport(Darwin)
            let modified = status.st_mtimespec
        #else
            let modified = status.st_mtim
        #endif
        return Key(
            path: path, file: UInt64(status.st_ino), size: Int64(status.st_size),
            modified: Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec))
    }

    // Decoding blocks for as long as a disk takes: not on the threads that run every other task.
    private static func decode(_ path: String) async -> Result<AudioClip, AudioFileError> {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(returning: Result { () throws(AudioFileError) in try AudioClip(path: path) })
            }
        }
    }
}

extension AudioClip {
    /// A file whose samples are known without reading it.
    package init(path: String, samples: SampleBuffer, metadata: AudioMetadata) {
        self.path = path
        self.samples = samples
        self.metadata = metadata
    }
}
