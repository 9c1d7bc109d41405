import Foundation

/// Cue sheets: the tracks of one or several files, with their starts in 75ths of a second.
///
/// A track ends where the next one of its file begins. The pause before a track (`INDEX 00`) is heard at the end of the
/// one before, as on a disc that plays through.
struct CueSheet {
    private struct Track {
        var entry: PlaylistEntry
        var start: SourceOffset?
        /// The file in which it starts, and where among those that the sheet names: one may be named again.
        var file: String?
        var fileNumber = 0
        var isAudio = true
    }

    private let path: String
    private let folder: String
    /// What is said before the first track: title, artist and gains of the album.
    private var album = PlaylistEntry(location: "")
    private var file: String?
    private var fileNumber = 0
    private var tracks: [Track] = []

    static func parse(_ text: String, path: String) throws(AudioFileError) -> PlaylistFile {
        var sheet = CueSheet(path: path)
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = CueSheet.words(line)
            if let command = words.first {
                try sheet.take(command.uppercased(), Array(words.dropFirst()), line: number + 1)
            }
        }
        return try sheet.list()
    }

    private init(path: String) {
        self.path = path
        folder = path.folderPath
    }

    private mutating func take(_ command: String, _ values: [String], line: Int) throws(AudioFileError) {
        switch command {
        case "FILE":
            guard let name = values.first else { throw wrong(line, "FILE needs a name") }
            file = PlaylistLocation.resolve(path: name, in: folder).map(CueSheet.encoded)
            fileNumber += 1
        case "TRACK":
            guard values.count >= 2, let number = Int(values[0]) else {
                throw wrong(line, "TRACK needs a number and a kind")
            }
            var entry = PlaylistEntry(location: "")
            entry.trackNumber = number
            tracks.append(Track(entry: entry, isAudio: values[1].uppercased() == "AUDIO"))
        case "INDEX": try index(values, line: line)
        case "TITLE": name(\.title, values.first)
        case "PERFORMER": name(\.artist, values.first)
        case "REM": remark(values)
        default: return
        }
    }

    private mutating func index(_ values: [String], line: Int) throws(AudioFileError) {
        guard values.count >= 2, let number = Int(values[0]), let offset = CueSheet.offset(values[1]) else {
            throw wrong(line, "INDEX needs a number and a time as minutes:seconds:frames, 75 frames to the second")
        }
        guard !tracks.isEmpty, let file else { throw wrong(line, "INDEX comes before FILE and TRACK") }
        if number == 0 { tracks[tracks.count - 1].entry.pauseStart = offset }
        if number == 1 {
            tracks[tracks.count - 1].start = offset
            tracks[tracks.count - 1].file = file
            tracks[tracks.count - 1].fileNumber = fileNumber
        }
    }

    private mutating func name(_ field: WritableKeyPath<PlaylistEntry, String?>, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        if tracks.isEmpty {
            album[keyPath: field] = value
        } else {
            tracks[tracks.count - 1].entry[keyPath: field] = value
        }
    }

    private mutating func remark(_ values: [String]) {
        guard values.count >= 2 else { return }
        let value = values.dropFirst().joined(separator: " ")
        if tracks.isEmpty {
            album.loudness.take(key: values[0], value: value)
        } else {
            tracks[tracks.count - 1].entry.loudness.take(key: values[0], value: value)
        }
    }

    private func list() throws(AudioFileError) -> PlaylistFile {
        var list = PlaylistFile()
        list.title = album.title
        let sounding = tracks.filter { $0.start != nil && $0.file != nil }
        for (index, track) in sounding.enumerated() where track.isAudio {
            guard let start = track.start, let file = track.file else { continue }
            var entry = track.entry
            entry.location = file
            entry.start = start
            entry.artist = entry.artist ?? album.artist
            entry.album = album.title
            entry.loudness = entry.loudness.completed(from: album.loudness)
            if index + 1 < sounding.count, sounding[index + 1].file == file, let end = sounding[index + 1].start,
                end >= start || sounding[index + 1].fileNumber == track.fileNumber
            {
                guard end >= start else {
                    throw .notAPlaylist(
                        path: path, reason: "track \(entry.trackNumber ?? 0) begins after the one that follows it")
                }
                entry.end = end
                entry.duration = end.seconds - start.seconds
            }
            list.entries.append(entry)
        }
        guard !list.entries.isEmpty else { throw .notAPlaylist(path: path, reason: "it has no track with an INDEX 01") }
        return list
    }

    private func wrong(_ line: Int, _ reason: String) -> AudioFileError {
        .notAPlaylist(path: path, reason: "line \(line): \(reason)")
    }

    /// `mm:ss:ff`.
    private static func offset(_ text: String) -> SourceOffset? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let frames = parts[2],
            (0..<1_000_000).contains(minutes), (0..<60).contains(seconds), (0..<75).contains(frames)
        else { return nil }
        return SourceOffset(units: (minutes * 60 + seconds) * 75 + frames, per: 75)
    }

    /// The file of a path, or where there is none the only one that is called so but for its ending: what a sheet names
    /// as `.wav` may have been made smaller since.
    private static func encoded(_ path: String) -> String {
        if FileManager.default.fileExists(atPath: path) { return path }
        let (folder, stem) = (path.folderPath, path.lastPathName.withoutPathEnding)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let others = names.filter { name in
            name.withoutPathEnding == stem && AudioEndings.all.contains(name.pathEnding.lowercased())
        }
        return others.count == 1 ? folder + "/" + others[0] : path
    }

    /// The words of a line; quotes hold one together.
    private static func words(_ line: Substring) -> [String] {
        var words: [String] = []
        var rest = line.drop(while: \.isWhitespace)
        while let first = rest.first {
            let isQuoted = first == "\""
            if isQuoted { rest.removeFirst() }
            let word = rest.prefix { isQuoted ? $0 != "\"" : !$0.isWhitespace }
            words.append(String(word))
            rest = rest.dropFirst(word.count + (isQuoted ? 1 : 0)).drop(while: \.isWhitespace)
        }
        return words
    }
}
