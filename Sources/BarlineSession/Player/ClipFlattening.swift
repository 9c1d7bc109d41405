import BarlineDSP
import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation

/// A loop as it sounds at the session's tempo, in a file of its own.
struct FlattenedClip: Sendable {
    /// What it was made of.
    let clip: ClipDocument
    /// The file, as the document names it, and the frames of it that are the loop.
    let file: String
    let region: Range<Int>
    let beats: Double
}

extension SessionPlayer {
    /// The longest loop that is flattened, in seconds.
    private static let longestFlattened = 600.0
    private static let flattenedBlock = 4_096

    /// Renders a turn of a loop as it sounds at the tempo of the moment: stretched, transposed and along its warp
    /// markers, before gain and effects.
    ///
    /// It is the second turn, from which on all are the same.
    ///
    /// - Throws: ``SessionError`` if it is no loop that follows the tempo, or can't be read or written.
    func flatten(_ id: String?, source: String) async throws(SessionError) -> FlattenedClip? {
        guard let id else { return nil }
        let (document, path) = bound.withLock { ($0.document, $0.path) }
        guard let clip = document.tracks.flatMap(\.clips).first(where: { $0.id == id }) else {
            throw .unknown(path: source, key: "clip", id: id)
        }
        var bare = clip
        (bare.layers, bare.undoneLayers) = ([], [])
        let preparation = ClipPreparation(
            document: bare, track: TrackIndex(0), key: "clip", sessionPath: path,
            folder: URL(fileURLWithPath: path).deletingLastPathComponent())
        let prepared = try await preparation.load(with: loader, listener: listener, takes).get()
        let (tempo, rate) = (engine.transport.tempo, engine.sampleRate)
        guard let beats = prepared.settings.beats, prepared.settings.loops, clip.playback != .original else {
            throw .value(path: source, key: "clip", expected: "a loop that follows the tempo", found: "\"\(id)\"")
        }
        let seconds = tempo.seconds(of: beats)
        guard seconds <= SessionPlayer.longestFlattened else {
            throw .value(path: source, key: "clip", expected: "a loop of ten minutes at most", found: "\"\(id)\"")
        }
        let turn = seconds * rate.hertz
        let (first, end) = (Int(turn.rounded()), Int((2 * turn).rounded()))
        let margin = min(first, Int(rate.frames(seconds: 0.5)))
        let region = margin..<margin + end - first
        let frames = first - margin..<end + SessionPlayer.flattenedBlock
        let chunks = TakeChunks(loop: region, beats: beats, timeReference: 0, sampleRate: rate)
        // Not on the threads that run every other task.
        let file: Result<String, SessionError> = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { [self] in
                continuation.resume(
                    returning: Result { () throws(SessionError) in
                        try store(prepared, at: tempo, rate, frames, chunks, title: "\(id) flat", source: source)
                    })
            }
        }
        return FlattenedClip(clip: clip, file: try file.get(), region: region, beats: beats)
    }

    /// Renders some frames of a clip into a file.
    ///
    /// - Returns: the file, as the document names it.
    private func store(
        _ prepared: ClipPreparation.Prepared, at tempo: Tempo, _ rate: SampleRate, _ frames: Range<Int>,
        _ chunks: TakeChunks, title: String, source: String
    ) throws(SessionError) -> String {
        let samples: SampleBuffer
        do throws(EngineError) {
            samples = try SessionPlayer.render(prepared, at: tempo, rate, frames: frames)
        } catch {
            throw .engine(path: source, key: "clip", error)
        }
        do throws(AudioFileError) {
            return try takes.store(samples, chunks, title: title).name
        } catch {
            throw .audio(path: source, key: "clip", error)
        }
    }

    /// Some frames of a clip that is launched on frame 0, by an engine that plays nothing else.
    private static func render(
        _ prepared: ClipPreparation.Prepared, at tempo: Tempo, _ rate: SampleRate, frames: Range<Int>
    ) throws(EngineError) -> SampleBuffer {
        let engine = Engine(
            EngineConfiguration(
                sampleRate: rate, trackCount: 1, clipCapacity: 1, tempo: tempo, launchQuantization: .none,
                firstLaunch: .immediate))
        var settings = prepared.settings
        settings.gain = .unity
        settings.quantization = Quantization.none
        (settings.launchMode, settings.startPosition) = (.trigger, .fromStart)
        engine.launcher.waitsForClips = true
        let clip = try engine.launcher.load(prepared.audio.samples, settings: settings)
        try engine.launcher.launch(clip, at: FrameTime.zero)
        let block = RenderBuffer(busCount: 1, frameCapacity: flattenedBlock)
        var (left, right): ([Float], [Float]) = ([], [])
        var done = 0
        while done < frames.upperBound {
            let count = min(flattenedBlock, frames.upperBound - done)
            engine.render(into: block, frames: count)
            let first = max(0, frames.lowerBound - done)
            if first < count {
                left += UnsafeBufferPointer(start: block.left + first, count: count - first)
                right += UnsafeBufferPointer(start: block.right + first, count: count - first)
            }
            done += count
        }
        return SampleBuffer(left: left, right: right, sampleRate: rate)
    }
}
