import BarlineDSP
import BarlineFiles
import Foundation

/// A request to import files, and what they become.
struct ImportRequest: Sendable {
    enum Kind: Sendable {
        /// Clips, which may be made as loud as the set.
        case clips
        /// Stems, which are not held in memory.
        case stems
        /// What is held in memory, and as loud as it is.
        case asTheyAre
    }

    let kind: Kind
    /// The files' paths.
    let paths: [String]
}

/// A survey of files before they are imported: whether each can be read, how loud it is, how loud the set is.
struct ImportSurvey: Sendable {
    /// A file that can be read.
    struct Sound: Sendable {
        /// Its samples; `nil` for a stem, which is not held in memory.
        var audio: AudioClip?
        var level = SoundLevel(loudness: -.infinity, truePeak: .infinity)
    }

    private(set) var sounds: [String: Result<Sound, AudioFileError>] = [:]
    /// The loudness of the set's clips at 0 dB in LUFS.
    private(set) var clips: [String: Double] = [:]

    /// Nothing is known.
    init() {}

    /// Looks at files, and at the clips of the set where loudness is of effect; takes as long as reading them does.
    ///
    /// - Parameters:
    ///   - request: the files.
    ///   - player: what plays the set.
    ///   - listener: keeps what was measured.
    init(_ request: ImportRequest, player: SessionPlayer, listener: LoudnessListener) async {
        if request.kind == .stems {
            for path in request.paths { sounds[path] = await ImportSurvey.open(path) }
            return
        }
        let mode = request.kind == .asTheyAre ? .off : player.document.importLoudness
        let loader = player.loader
        sounds = await withTaskGroup { group in
            for path in Set(request.paths) {
                group.addTask { (path, await ImportSurvey.load(path, loader, mode)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        if mode == .off { return }
        let bindings = player.clips
        clips = await withTaskGroup { group in
            for (id, binding) in bindings {
                guard let samples = binding.audio?.samples else { continue }
                let region = binding.document.start..<(binding.document.end ?? samples.frameCount)
                group.addTask { (id, await listener.loudness(of: samples, region)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    private static func open(_ path: String) async -> Result<Sound, AudioFileError> {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(
                    returning: Result { () throws(AudioFileError) in
                        _ = try AudioFileStream(path: path)
                        return Sound()
                    })
            }
        }
    }

    private static func load(
        _ path: String, _ loader: AudioClipLoader, _ mode: ImportLoudness
    ) async -> Result<Sound, AudioFileError> {
        do throws(AudioFileError) {
            let audio = try await loader.load(path)
            guard mode != .off else { return .success(Sound(audio: audio)) }
            let level = await LoudnessListener.measure(
                audio.samples, 0..<audio.samples.frameCount, truePeak: mode == .all)
            return .success(Sound(audio: audio, level: level))
        } catch {
            return .failure(error)
        }
    }
}
