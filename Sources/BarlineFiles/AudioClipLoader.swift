import BarlineDSP
import BarlineEngine
import BarlineTime
import CKernels
import Foundation

/// Loads clips in the background, and shares the samples of files that are loaded repeatedly.
public actor AudioClipLoader {
    private struct Key: Hashable {
        let path: String
        let file: UInt64
        let size: Int64
        let modified: Int64
        var isStreamed = false

        /// What is another one when the file was written to.
        var version: [Int64] { [Int64(truncatingIfNeeded: file), size, modified] }
    }

    private struct Entry {
        weak var samples: SampleBuffer?
        let metadata: AudioMetadata
    }

    private var entries: [Key: Entry] = [:]
    private var loading: [Key: Task<Result<AudioClip, AudioFileError>, Never>] = [:]

    private let streaming: ClipStreaming

    /// The longest clip of a session that is in memory as a whole, in seconds, if nothing else is said: five minutes.
    public static let usualSeconds = 300.0

    /// Creates a loader.
    ///
    /// - Parameter seconds: the longest clip of a session that is in memory as a whole; longer ones play from their
    ///   files, if these can be read from anywhere to the bit. Those of up to 2,097,152 frames, 43 s at 48 kHz, are in memory in any case.
    public init(streamedOver seconds: Double = AudioClipLoader.usualSeconds) {
        streaming = ClipStreaming(compressed: seconds, uncompressed: seconds)
    }

    /// Creates a loader for a render that changes no clip: uncompressed files play from the disk as soon as they may,
    /// which takes no more time than loading them, and little memory.
    package static var rendering: AudioClipLoader {
        var streaming = ClipStreaming(compressed: usualSeconds, uncompressed: 0)
        streaming.readsAll = false
        return AudioClipLoader(streaming)
    }

    private init(_ streaming: ClipStreaming) { self.streaming = streaming }

    /// Whether a clip of a session of so many frames plays from its file.
    package nonisolated func isStreamed(frames: Int, at sampleRate: SampleRate) -> Bool {
        frames > ClipWindow.longestHeld && sampleRate.seconds(frames: Int64(frames)) > streaming.compressed
    }

    /// Loads the clip at `path`, or returns the one in memory if the file has not changed since.
    ///
    /// - Throws: ``AudioFileError``.
    /// - Complexity: O(*n*) in the frames of the file, unless it is in memory.
    public func load(_ path: String) async throws(AudioFileError) -> AudioClip {
        try await load(AudioClipLoader.key(path), streaming: .never)
    }

    /// The same, for a clip that plays on a track: its samples are not all in memory if it is long.
    ///
    /// - Throws: ``AudioFileError``.
    /// - Complexity: O(*n*) in the frames of the file, unless it is known.
    package func loadForTrack(_ path: String) async throws(AudioFileError) -> AudioClip {
        var key = AudioClipLoader.key(path)
        key.isStreamed = true
        return try await load(key, streaming: streaming)
    }

    /// Takes what is in memory of files for what is in copies of them, by the paths of the files.
    package func adopt(_ copies: [String: String]) {
        for (key, entry) in entries {
            guard entry.samples != nil, let copy = copies[key.path] else { continue }
            var known = AudioClipLoader.key(copy)
            known.isStreamed = key.isStreamed
            if known.size == key.size { entries[known] = entry }
        }
    }

    private func load(_ key: Key, streaming: ClipStreaming) async throws(AudioFileError) -> AudioClip {
        let path = key.path
        if let entry = entries[key], let samples = entry.samples {
            return AudioClip(path: path, samples: samples, metadata: entry.metadata)
        }
        let task = loading[key] ?? Task.detached { await AudioClipLoader.decode(path, streaming: streaming) }
        loading[key] = task
        let result = await task.value
        loading[key] = nil
        let clip = try result.get()
        if isOverwritten(key), AudioClipLoader.peak(of: clip.samples) > AudioFileStream.largest {
            throw .notAudio(path: path, reason: "it was changed while it was in use, and is no sound any more")
        }
        entries[key] = Entry(samples: clip.samples, metadata: clip.metadata)
        return clip
    }

    /// Whether samples of the file as it was before are in use.
    private func isOverwritten(_ key: Key) -> Bool {
        entries.contains { $0.key.path == key.path && $0.key.version != key.version && $0.value.samples != nil }
    }

    private static func peak(of samples: SampleBuffer) -> Float {
        if let partial = samples.partial { return partial.peak(in: 0..<samples.frameCount) }
        return max(
            dsp_measure(samples.left, samples.frameCount).peak, dsp_measure(samples.right, samples.frameCount).peak)
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
    private static func decode(
        _ path: String, streaming: ClipStreaming
    ) async -> Result<AudioClip, AudioFileError> {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(
                    returning:
                        Result { () throws(AudioFileError) in try AudioClip(path: path, streaming: streaming) })
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
