import BarlineFiles
import Foundation

/// What an import brings: files, and whether they become clips or stems.
struct ImportWish: Sendable {
    enum Kind: String, CaseIterable, Sendable { case clips, stems }

    let kind: Kind
    /// The files' paths.
    let paths: [String]
}

/// What must be known before files can be imported: whether each can be read.
struct ImportSurvey: Sendable {
    /// A file that can be read.
    struct Sound: Sendable {
        /// Its samples; `nil` for a stem, which is not held in memory.
        var audio: AudioClip?
    }

    private(set) var sounds: [String: Result<Sound, AudioFileError>] = [:]

    /// Nothing is known.
    init() {}

    /// Looks at files; takes as long as reading them does.
    ///
    /// - Parameters:
    ///   - wish: the files.
    ///   - player: what plays the set.
    init(_ wish: ImportWish, player: SessionPlayer) async {
        if wish.kind == .stems {
            for path in wish.paths { sounds[path] = await ImportSurvey.open(path) }
            return
        }
        let loader = player.loader
        sounds = await withTaskGroup { group in
            for path in Set(wish.paths) {
                group.addTask { (path, await ImportSurvey.load(path, loader)) }
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

    private static func load(_ path: String, _ loader: AudioClipLoader) async -> Result<Sound, AudioFileError> {
        do throws(AudioFileError) {
            return .success(Sound(audio: try await loader.load(path)))
        } catch {
            return .failure(error)
        }
    }
}
