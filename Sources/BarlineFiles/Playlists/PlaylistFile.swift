import Foundation

/// A playlist: M3U, M3U8, PLS, XSPF and cue sheets are read, XSPF and M3U8 are written.
public struct PlaylistFile: Hashable, Sendable {
    /// The title of the list; in a cue sheet that of the album.
    public var title: String?
    /// The entries, in order.
    public var entries: [PlaylistEntry] = []

    /// Lists in lists are followed so deep.
    static let deepestNesting = 8
    /// A list with more entries than this is refused.
    static let mostEntries = 100_000

    private enum Kind: String {
        case m3u, m3u8, pls, xspf, cue
    }

    /// Creates an empty list.
    public init() {}

    /// Reads a list. Nested lists are expanded in place; paths are relative to the list that contains them.
    ///
    /// - Throws: ``AudioFileError`` if it is not a list, is too large, or contains itself.
    /// - Complexity: O(*n*) in the bytes of the list and of those nested in it.
    public init(path: String) throws(AudioFileError) {
        let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        self = try PlaylistFile.read(URL(fileURLWithPath: whole).standardized.path)
    }

    /// Whether a path has the extension of a playlist.
    public static func isPlaylist(path: String) -> Bool { kind(of: path) != nil }

    private static func kind(of path: String) -> Kind? { Kind(rawValue: path.pathEnding.lowercased()) }

    private static func read(_ path: String) throws(AudioFileError) -> PlaylistFile {
        var list = try parse(PlaylistText.bytes(path: path), path: path)
        try list.expand(path, within: [])
        return list
    }

    /// Puts the entries of the lists in it in their place, which is one in the lists `outer`. A list in it that can't be
    /// read stays an entry, as a file that is missing does: the others are played.
    private mutating func expand(_ path: String, within outer: [String]) throws(AudioFileError) {
        let lists = outer + [path]
        var expanded: [PlaylistEntry] = []
        for entry in entries {
            if let list = try entry.list(within: lists) { expanded += list.entries } else { expanded.append(entry) }
            if expanded.count > PlaylistFile.mostEntries {
                throw .notAPlaylist(path: path, reason: "it has more than \(PlaylistFile.mostEntries) entries")
            }
        }
        entries = expanded
    }

    /// The list at `path`, which is named by the last one of `outer`; `nil` where it can't be read.
    fileprivate static func nested(_ path: String, within outer: [String]) throws(AudioFileError) -> PlaylistFile? {
        if outer.contains(path) { throw .notAPlaylist(path: path, reason: "it contains itself") }
        if outer.count >= deepestNesting {
            throw .notAPlaylist(path: path, reason: "lists are nested more than \(deepestNesting) deep")
        }
        guard let bytes = try? PlaylistText.bytes(path: path), var list = try? parse(bytes, path: path) else {
            return nil
        }
        try list.expand(path, within: outer)
        return list
    }

    /// The name's ending says what it is; where that is none of a list's, the contents do.
    private static func parse(_ bytes: [UInt8], path: String) throws(AudioFileError) -> PlaylistFile {
        let text = TextEncoding.decode(bytes)
        switch kind(of: path) ?? kind(ofText: text) {
        case .m3u, .m3u8: return try M3UList.parse(text, path: path)
        case .pls: return try PLSList.parse(text, path: path)
        case .xspf: return try XSPFReader.parse(text, path: path)
        case .cue: return try CueSheet.parse(text, path: path)
        case nil: throw .notAPlaylist(path: path, reason: "it is none of M3U, PLS, XSPF and CUE")
        }
    }

    private static func kind(ofText text: String) -> Kind? {
        let head = text.prefix(1000).trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        if head.hasPrefix("#extm3u") { return .m3u }
        if head.hasPrefix("[playlist]") { return .pls }
        if head.hasPrefix("<"), head.contains("<playlist") { return .xspf }
        return nil
    }

    /// Writes the list in the format of its extension, `.xspf` or `.m3u8`. The file is replaced atomically.
    ///
    /// XSPF keeps everything. M3U8 keeps offsets to the nanosecond; paths below the list's folder are written relative
    /// to it.
    ///
    /// - Throws: ``AudioFileError`` if the extension is another one, or the folder can't be written to.
    /// - Complexity: O(*n*) in the entries.
    public func write(path: String) throws(AudioFileError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().standardized.path
        let text: String
        switch PlaylistFile.kind(of: path) {
        case .xspf: text = XSPFWriter.text(self)
        case .m3u8: text = M3UList.text(self, folder: folder)
        default: throw .unsupportedOutput(path: path, reason: "the name of a playlist must end in .xspf or .m3u8")
        }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw .cannotWrite(path: path, reason: "its folder is missing, full or not yours")
        }
    }
}

extension PlaylistEntry {
    /// The list that it is; `nil` where it is none, or can't be read.
    fileprivate func list(within outer: [String]) throws(AudioFileError) -> PlaylistFile? {
        isRemote || !PlaylistFile.isPlaylist(path: location) ? nil : try PlaylistFile.nested(location, within: outer)
    }
}
