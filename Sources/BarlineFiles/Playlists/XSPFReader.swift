import Foundation

/// Reads XSPF: tracks with URIs, metadata, and the offsets that ``XSPFWriter`` adds.
struct XSPFReader {
    /// Namespace and application of the extension that holds an entry's offsets.
    static let extensionNamespace = "urn:barline:xspf"
    private static let vlcNamespace = "http://www.videolan.org/vlc/playlist/ns/0/"

    private let folder: String
    private var list = PlaylistFile()
    private var entry: PlaylistEntry?
    private var elements: [XMLElement] = []
    private var text = ""

    static func parse(_ text: String, path: String) throws(AudioFileError) -> PlaylistFile {
        var reader = XSPFReader(folder: path.folderPath)
        do throws(XMLScanner.Malformed) {
            try reader.read(text)
        } catch {
            throw .notAPlaylist(path: path, reason: error.reason)
        }
        return reader.list
    }

    private init(folder: String) { self.folder = folder }

    private mutating func read(_ document: String) throws(XMLScanner.Malformed) {
        var scanner = XMLScanner(document)
        while let event = try scanner.next() {
            switch event {
            case .start(let element):
                if elements.isEmpty, element.name != "playlist" {
                    throw XMLScanner.Malformed(reason: "its root element is \(element.name), not playlist")
                }
                elements.append(element)
                begin(element)
            case .text(let more): text += more
            case .end: end()
            }
        }
    }

    private mutating func begin(_ element: XMLElement) {
        text = ""
        if elements.map(\.name) == ["playlist", "trackList", "track"] { entry = PlaylistEntry(location: "") }
        if element.name == "offsets", element.namespace == XSPFReader.extensionNamespace {
            entry?.start = XSPFReader.offset(element.attributes["start"]) ?? .start
            entry?.end = XSPFReader.offset(element.attributes["end"])
        }
    }

    private mutating func end() {
        let path = elements.map(\.name)
        let last = elements.removeLast()
        let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
        text = ""
        if path == ["playlist", "title"], !value.isEmpty { list.title = value }
        guard path.count >= 3, path[1] == "trackList" else { return }
        if path.count == 3 {
            if let entry, !entry.location.isEmpty { list.entries.append(entry) }
            entry = nil
        } else if path.count == 4, !value.isEmpty {
            describe(path[3], value)
        } else if last.name == "option", last.namespace == XSPFReader.vlcNamespace {
            takeOption(value)
        }
    }

    private mutating func describe(_ field: String, _ value: String) {
        switch field {
        // Of several locations the first one that leads somewhere is meant.
        case "location" where entry?.location.isEmpty == true:
            entry?.location = PlaylistLocation.resolve(reference: value, in: folder) ?? ""
        case "title": entry?.title = value
        case "creator": entry?.artist = value
        case "album": entry?.album = value
        case "trackNum": entry?.trackNumber = Int(value).flatMap { $0 > 0 ? $0 : nil }
        case "duration": entry?.duration = Double(value).flatMap { $0 >= 0 && $0.isFinite ? $0 / 1000 : nil }
        default: return
        }
    }

    private mutating func takeOption(_ value: String) {
        let parts = value.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let offset = SourceOffset(seconds: parts[1]) else { return }
        if parts[0] == "start-time" { entry?.start = offset }
        if parts[0] == "stop-time" { entry?.end = offset }
    }

    /// `units/unitsPerSecond`.
    private static func offset(_ text: String?) -> SourceOffset? {
        let parts = (text ?? "").split(separator: "/").map { Int64($0) }
        guard parts.count == 2, let units = parts[0], let perSecond = parts[1] else { return nil }
        return SourceOffset(units: units, per: perSecond)
    }
}
