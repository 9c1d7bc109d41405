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
                result.tracks[track].clips[clip].file = path(result.tracks[track].clips[clip].file)
                for layer in result.tracks[track].clips[clip].layers.indices {
                    let file = result.tracks[track].clips[clip].layers[layer].file
                    result.tracks[track].clips[clip].layers[layer].file = path(file)
                }
                for layer in result.tracks[track].clips[clip].undoneLayers.indices {
                    let file = result.tracks[track].clips[clip].undoneLayers[layer].file
                    result.tracks[track].clips[clip].undoneLayers[layer].file = path(file)
                }
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
