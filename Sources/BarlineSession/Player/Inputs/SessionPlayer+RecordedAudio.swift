import BarlineEngine
import BarlineFiles
import Foundation

/// The audio of clips that were recorded: displays draw it, edits listen to it.
extension SessionPlayer {
    /// Gives clips that were recorded their audio, as soon as all of its file is there; to be called often.
    func bindRecordedAudio() {
        for id in bound.withLock({ $0.unheard }) {
            guard let binding = bound.withLock({ $0.clips[id] }), binding.audio == nil, binding.problem == nil else {
                bound.withLock { _ = $0.unheard.remove(id) }
                continue
            }
            let path = URL(fileURLWithPath: binding.document.file, relativeTo: URL(fileURLWithPath: path)).path
            guard let take = recordedTake(of: binding) else {
                // A layer that was gone back to may be in its file only.
                bound.withLock { _ = $0.unheard.remove(id) }
                Task {
                    guard let audio = try? await loader.load(path) else { return }
                    give(audio, to: binding)
                }
                continue
            }
            guard take.isFinished, let end = take.result?.region.upperBound else { continue }
            if loader.isStreamed(frames: end, at: engine.sampleRate), takes.isWriting {
                // It plays from memory until its file is whole.
                guard let isWritten = takes.isWritten(path) else { continue }
                if isWritten {
                    bound.withLock { _ = $0.unheard.remove(id) }
                    Task { await stream(binding, of: take, from: path) }
                    continue
                }
            }
            give(
                AudioClip(path: path, samples: take.samples(atLeast: end), metadata: AudioMetadata()), to: binding)
        }
    }

    /// Has a clip that was recorded play from its file from now on, so that its memory is freed; if it is recorded over,
    /// it stays in memory.
    private func stream(_ binding: ClipBinding, of take: TakeHandle, from path: String) async {
        if let audio = try? await loader.loadForTrack(path), audio.samples.partial != nil, play(audio, in: binding) {
            return
        }
        let end = take.result?.region.upperBound ?? 1
        give(AudioClip(path: path, samples: take.samples(atLeast: end), metadata: AudioMetadata()), to: binding)
    }

    /// Replaces what a clip that was recorded plays with the same from its file.
    ///
    /// - Returns: whether that was possible.
    private func play(_ audio: AudioClip, in binding: ClipBinding) -> Bool {
        bound.withLock { bound in
            let id = binding.document.id
            guard bound.clips[id] === binding, bound.overdubs[id] == nil,
                !bound.layers.contains(where: { $0.clip == id }), let clip = binding.handle,
                let settings = engine.launcher.settings(of: clip),
                (try? engine.launcher.replace(clip, with: audio.samples, settings: settings)) != nil
            else { return false }
            bound.bind(binding.streaming(audio))
            bound.revision += 1
            return true
        }
    }

    private func give(_ audio: AudioClip, to binding: ClipBinding) {
        bound.withLock { bound in
            let id = binding.document.id
            guard bound.clips[id] === binding else { return }
            bound.unheard.remove(id)
            bound.bind(binding.having(audio))
            bound.revision += 1
        }
    }

    /// What was recorded of the file that a clip plays; `nil` once only the file has it.
    private func recordedTake(of binding: ClipBinding) -> TakeHandle? {
        let (takes, layers) = bound.withLock { ($0.takes, $0.layers) }
        let file = binding.document.file
        let layer = layers.last { $0.clip == binding.document.id && self.takes.names(of: $0.files).file == file }
        if let layer { return layer.take }
        guard let clip = binding.handle,
            takes.contains(where: { $0.clip == clip && self.takes.names(of: $0.files).file == file })
        else { return nil }
        return engine.launcher.take(of: clip)
    }
}
