import Foundation

/// M3U and M3U8: a path or a URL a line, and comments that say more.
enum M3UList {
    static func parse(_ text: String, path: String) throws(AudioFileError) -> PlaylistFile {
        let folder = path.folderPath
        var list = PlaylistFile()
        var next = PlaylistEntry(location: "")
        var album: String?
        for line in PlaylistText.lines(text) {
            if let value = value(of: "#EXTINF", in: line) {
                describe(&next, value)
            } else if let value = value(of: "#EXTVLCOPT", in: line) {
                limit(&next, value)
            } else if let value = value(of: "#EXTALB", in: line) {
                album = value
            } else if let value = value(of: "#EXTART", in: line) {
                next.artist = value
            } else if let value = value(of: "#PLAYLIST", in: line) {
                list.title = value
            } else if line.hasPrefix("#EXT-X-") {
                throw .notAPlaylist(path: path, reason: "it is the manifest of an HLS stream")
            } else if !line.hasPrefix("#") || FileManager.default.fileExists(atPath: folder + "/" + line) {
                // "#1.wav" is a name where there is such a file.
                if let location = PlaylistLocation.resolve(line: line, in: folder) {
                    next.location = location
                    next.album = album
                    list.entries.append(next)
                }
                next = PlaylistEntry(location: "")
            }
        }
        return list
    }

    private static func value(of key: String, in line: String) -> String? {
        guard line.count > key.count, line.uppercased().hasPrefix(key + ":") else { return nil }
        let value = line.dropFirst(key.count + 1).trimmingCharacters(in: .whitespaces)
        return value.isEmpty ? nil : value
    }

    /// `seconds key="value" …,Artist - Title`; a comma in quotes is part of a value.
    private static func describe(_ entry: inout PlaylistEntry, _ text: String) {
        var isQuoted = false
        let comma = text.firstIndex { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
        let seconds = Double(text.prefix { $0.isASCIIDigit || $0 == "." || $0 == "-" })
        if let seconds, seconds >= 0, seconds.isFinite { entry.duration = seconds }
        guard let comma else { return }
        let name = text[text.index(after: comma)...].trimmingCharacters(in: .whitespaces)
        if let dash = name.range(of: " - ") {
            entry.artist = String(name[..<dash.lowerBound])
            entry.title = String(name[dash.upperBound...])
        } else if !name.isEmpty {
            entry.title = name
        }
    }

    private static func limit(_ entry: inout PlaylistEntry, _ option: String) {
        let parts = option.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let offset = SourceOffset(seconds: parts[1]) else { return }
        if parts[0] == "start-time" { entry.start = offset }
        if parts[0] == "stop-time" { entry.end = offset }
    }

    /// The list as M3U8, for a file in `folder`.
    static func text(_ list: PlaylistFile, folder: String) -> String {
        var lines = ["#EXTM3U"]
        if let title = list.title { lines.append("#PLAYLIST:" + plain(title)) }
        var album: String?
        for entry in list.entries {
            if entry.album != album, let name = entry.album { lines.append("#EXTALB:" + plain(name)) }
            album = entry.album ?? album
            if entry.duration != nil || entry.title != nil || entry.artist != nil {
                let seconds = entry.duration.map { String(Int64(min($0, 1e12).rounded())) } ?? "-1"
                let name = [entry.artist, entry.title].compactMap { $0 }.joined(separator: " - ")
                lines.append("#EXTINF:\(seconds),\(plain(name))")
            }
            if entry.start > .start { lines.append("#EXTVLCOPT:start-time=" + entry.start.decimalSeconds) }
            if let end = entry.end { lines.append("#EXTVLCOPT:stop-time=" + end.decimalSeconds) }
            lines.append(PlaylistLocation.relative(entry.location, to: folder))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A line has no line ends in it.
    private static func plain(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
