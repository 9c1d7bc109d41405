import BarlineAnalysis
import BarlineFiles
import BarlineTime
import Foundation

/// Makes items of a playlist from what somebody names: audio files, addresses, lists of them, folders.
package enum PlaylistSources {
    /// The items for `names`, in order; lists are read in their place, and folders with all folders in them.
    ///
    /// - Parameters:
    ///   - names: paths and addresses.
    ///   - loudness: how loud items are made.
    ///   - measures: whether files without tags of loudness are measured, which means to read them to their end.
    /// - Returns: the items.
    /// - Throws: `AudioFileError` where the only name is that of a list or a folder that can't be read.
    package static func items(
        for names: [String], loudness: LoudnessCorrection = LoudnessCorrection(), measures: Bool = false
    )
        throws(AudioFileError) -> [PlaylistItemDocument]
    {
        var items: [PlaylistItemDocument] = []
        var tags: [AudioTags] = []
        for name in names {
            for entry in try entries(for: name, among: names.count) {
                items.append(item(for: entry, id: "p\(items.count + 1)"))
                tags.append(loudness.mode == .off ? AudioTags() : self.tags(of: entry))
            }
        }
        if measures, loudness.mode != .off { measure(items, &tags, byFolder: loudness.mode == .album) }
        for index in items.indices {
            let before = index > 0 ? tags[index - 1] : nil
            let after = index + 1 < tags.count ? tags[index + 1] : nil
            items[index].gain = loudness.gain(of: tags[index], before: before, after: after).rawValue
        }
        return items
    }

    /// Whether a name is one of something that can be played, as far as that is seen without opening a file.
    package static func isPlayable(_ name: String) -> Bool {
        name.contains("://") || PlaylistFolder.isFolder(name) || PlaylistFile.isPlaylist(path: name)
            || MediaFolders.isAudio(name)
    }

    private static func entries(for name: String, among count: Int) throws(AudioFileError) -> [PlaylistEntry] {
        if name.contains("://") { return [PlaylistEntry(location: name)] }
        do throws(AudioFileError) {
            if PlaylistFolder.isFolder(name) {
                return try PlaylistFolder.files(in: name).map { PlaylistEntry(location: $0) }
            }
            if PlaylistFile.isPlaylist(path: name) { return try PlaylistFile(path: name).entries }
        } catch {
            // One of several is left out when its turn comes, as a file that is missing is.
            if count == 1 { throw error }
        }
        return [PlaylistEntry(location: whole(name))]
    }

    private static func whole(_ path: String) -> String { URL(fileURLWithPath: path).path }

    private static func item(for entry: PlaylistEntry, id: String) -> PlaylistItemDocument {
        let title = entry.title.map { title in entry.artist.map { "\($0) – \(title)" } ?? title }
        var item = PlaylistItemDocument(id: id, file: entry.location, title: title)
        if entry.start == .start, entry.end == nil { return item }
        // A place in a file is a frame only once its sample rate is known.
        let rate = (try? AudioFileStream(path: entry.location))?.sampleRate ?? .standard
        item.start = entry.start.frame(at: rate)
        item.end = entry.end?.frame(at: rate)
        return item
    }

    private static func tags(of entry: PlaylistEntry) -> AudioTags {
        var tags = entry.isRemote ? AudioTags() : (try? AudioTags(path: entry.location)) ?? AudioTags()
        if !entry.loudness.isEmpty { tags.loudness = entry.loudness }
        return tags
    }

    /// Completes tags that have no gain or no peak with what is measured of the files, each read once. Of those that name
    /// no album, what lies in one folder is one where `byFolder` says so.
    private static func measure(_ items: [PlaylistItemDocument], _ tags: inout [AudioTags], byFolder: Bool) {
        var albums: [[String]: AlbumLoudness] = [:]
        var measured: [String: LoudnessTags] = [:]
        var wanting: [(index: Int, album: AlbumLoudness?)] = []
        for (index, item) in items.enumerated() where !item.file.contains("://") {
            let known = tags[index].loudness
            if known.trackGain ?? known.albumGain != nil, known.trackPeak ?? known.albumPeak != nil { continue }
            let folder = byFolder ? [URL(fileURLWithPath: item.file).deletingLastPathComponent().path] : nil
            let identity = tags[index].albumIdentity ?? folder
            if let identity, albums[identity] == nil { albums[identity] = AlbumLoudness() }
            let album = identity.flatMap { albums[$0] }
            wanting.append((index, album))
            if measured[item.file] != nil { continue }
            measured[item.file] = (try? LoudnessTags(measuring: item.file, of: album)) ?? LoudnessTags()
        }
        for (index, album) in wanting {
            var loudness = measured[items[index].file] ?? LoudnessTags()
            if let album { loudness.take(album) }
            tags[index].loudness = tags[index].loudness.completed(from: loudness)
        }
    }
}
