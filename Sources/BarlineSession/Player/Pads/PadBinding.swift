import BarlineEngine
import BarlineFiles
import Foundation

/// A pad of the document, bound to the engine's pad.
public struct PadBinding: Sendable {
    /// The document's pad.
    public let document: PadDocument
    /// The engine's pad; `nil` if loading its file failed.
    public let handle: PadHandle?
    /// The decoded file; `nil` if loading failed.
    public let audio: AudioClip?
    /// Why loading failed.
    public let problem: SessionError?
}

/// Pads whose files are loaded, and that the engine does not have yet.
struct PreparedPads: LoadedPart {
    struct Pad: Sendable {
        let document: PadDocument
        /// The path of its keys in the session's file.
        let key: String
        let audio: Result<AudioClip, SessionError>
    }

    let pads: [Pad]

    /// Loads the files of pads, all or those that `isWanted` names.
    init(
        _ bound: BoundSession, loader: AudioClipLoader, isWanted: (PadDocument) -> Bool = { _ in true }
    ) async {
        let folder = URL(fileURLWithPath: bound.path).deletingLastPathComponent()
        let wanted = bound.document.pads.enumerated().filter { isWanted($0.element) }
        pads = await withTaskGroup { group in
            for (index, pad) in wanted {
                group.addTask { [path = bound.path, former = bound.pads[pad.id]?.audio] in
                    let key = "pads[\(index)]"
                    do throws(AudioFileError) {
                        let audio = try await loader.load(URL(fileURLWithPath: pad.file, relativeTo: folder).path)
                        return (index, Pad(document: pad, key: key, audio: .success(audio)))
                    } catch {
                        // Its file is away, and it is in memory.
                        if let former, former.isFile(pad.file, in: folder) {
                            return (index, Pad(document: pad, key: key, audio: .success(former)))
                        }
                        let problem = SessionError.audio(path: path, key: "\(key).file", error)
                        return (index, Pad(document: pad, key: key, audio: .failure(problem)))
                    }
                }
            }
            let loaded: [Int: Pad] = await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            return loaded.sorted { $0.key < $1.key }.map(\.value)
        }
    }

}

/// The pads that the engine has, by identifier.
private struct BoundPads: BoundPart {
    var pads: [String: PadBinding] = [:]
}

extension BoundSession {
    /// The pads by identifier.
    var pads: [String: PadBinding] {
        get { parts[BoundPads.self].pads }
        set { parts[BoundPads.self].pads = newValue }
    }

    /// One of the engine's pads; `nil` where it is gone.
    func pad(_ handle: PadHandle) -> PadDocument? { pads.values.first { $0.handle == handle }?.document }
}

extension PadBinding {
    /// Brings a pad to the engine, in the place of what was there before.
    init(
        _ pad: PreparedPads.Pad, over old: PadBinding?, _ sampler: Engine.Sampler, path: String
    ) throws(SessionError) {
        let audio = try pad.audio.get()
        do throws(EngineError) {
            var handle = old?.handle
            if let handle {
                if old?.document.settings != pad.document.settings || old?.audio?.samples !== audio.samples {
                    try sampler.replace(handle, with: audio.samples, settings: pad.document.settings)
                }
            } else {
                handle = try sampler.load(audio.samples, settings: pad.document.settings)
            }
            self.init(document: pad.document, handle: handle, audio: audio, problem: nil)
        } catch {
            throw .engine(path: path, key: pad.key, error)
        }
    }
}
