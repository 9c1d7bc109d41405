extension SessionDocument {
    /// The paths of all files, but for what is on the network.
    var files: [String] {
        var files: [String] = []
        _ = withFiles { file in
            files.append(file)
            return file
        }
        return files
    }

    /// The same with other paths.
    func withFiles(_ path: (String) -> String) -> SessionDocument {
        var result = self
        for track in result.tracks.indices {
            for clip in result.tracks[track].clips.indices {
                result.tracks[track].clips[clip].setFiles(path)
            }
        }
        result.items = SharedList(
            result.items.map { item in
                var item = item
                if !item.file.contains("://") { item.file = path(item.file) }
                return item
            })
        result.parts.setFiles(path)
        for stem in result.stems.indices { result.stems[stem].file = path(result.stems[stem].file) }
        result.metronome.file = result.metronome.file.map(path)
        return result
    }
}

extension ClipDocument {
    /// Has its files at other paths.
    fileprivate mutating func setFiles(_ path: (String) -> String) {
        file = path(file)
        pass?.setFile(path)
        for layer in layers.indices { layers[layer].setFiles(path) }
        for layer in undoneLayers.indices { undoneLayers[layer].setFiles(path) }
    }
}

extension LayerDocument {
    fileprivate mutating func setFiles(_ path: (String) -> String) {
        file = path(file)
        pass?.setFile(path)
    }
}

extension LayerPass {
    fileprivate mutating func setFile(_ path: (String) -> String) {
        if let file = played?.file { played?.file = path(file) }
    }
}
