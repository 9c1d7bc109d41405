extension ScriptAction {
    /// The action with other paths for all files that it names. The switch lists every action: through one that is left
    /// out the network could name any file.
    ///
    /// - Parameter path: what is in the place of a path; of an address on the network too, where an action has one.
    /// - Returns: the action.
    func withFiles(_ path: (String) -> String) -> ScriptAction {
        switch self {
        case .session(let document, let kept): .session(document.withFiles(path), kept: kept)
        case .change(let change): .change(change.withFiles(path))
        case .playlist(let action): .playlist(action.withFiles(path))
        case .launch, .release, .launchScene, .stop, .stopNow, .stopAll, .tempo, .timeSignature, .quantization,
            .gain, .pan, .send, .mute, .solo, .stems, .part, .record, .layer, .effect, .transport, .locate, .loop,
            .looping,
            .metronome, .startPosition, .tap, .clockJump:
            self
        }
    }
}

extension PlaylistAction {
    /// The same with other paths for all files that it names.
    func withFiles(_ path: (String) -> String) -> Self {
        switch self {
        case .insert(let index, let file, let id, let title):
            .insert(index: index, file: path(file), id: id, title: title)
        case .replace(let index, let file, let id, let title):
            .replace(index: index, file: path(file), id: id, title: title)
        case .play, .playIndex, .pause, .stop, .next, .previous, .seek, .remove, .move, .transpose, .speed, .formants,
            .change, .clear, .repeat, .shuffle, .single, .consume, .stopAfterCurrent, .crossfade, .gain:
            self
        }
    }
}
