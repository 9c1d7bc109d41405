import BarlineFiles
import BarlineTestSupport
import Foundation

extension FuzzBoundary {
    /// Playlists and cue sheets.
    static let lists = [
        FuzzBoundary("m3u", limit: 1 << 13, words: ["#EXTM3U", "#EXTINF:", "#EXTVLCOPT:start-time="]) {
            try readList($0, ending: "m3u")
        },
        FuzzBoundary("pls", limit: 1 << 13, words: ["[playlist]", "NumberOfEntries=", "File1=", "Title1=", "Length1="])
        {
            try readList($0, ending: "pls")
        },
        FuzzBoundary(
            "xspf", limit: 1 << 13,
            words: ["<playlist", "<trackList>", "<track>", "<location>", "&#x", "&amp;", "<![CDATA[", "]]>", "<!--"]
        ) { try readList($0, ending: "xspf") },
        FuzzBoundary("cue", limit: 1 << 13, words: ["FILE \"", "TRACK 01 AUDIO", "INDEX 01 00:00:00", "REM ", "TITLE"])
        {
            try readList($0, ending: "cue")
        },
    ]

    /// What is read can be written as XSPF, which keeps what is played, and all of what it can say when it is written
    /// once more.
    private static func readList(_ input: [UInt8], ending: String) throws {
        let path = try InputFile.write(input, "list.\(ending)")
        guard let list = try? PlaylistFile(path: path) else { return }
        let again = try rewritten(list)
        try BrokenPromise.check(
            again.entries.map(\.location) == list.entries.map(\.location)
                && again.entries.map(\.start) == list.entries.map(\.start)
                && again.entries.map(\.end) == list.entries.map(\.end),
            "a list that was written plays something else: \(list)\n\(again)")
        let third = try rewritten(again)
        try BrokenPromise.check(third == again, "a list that was written twice is another one: \(again)\n\(third)")
        try list.write(path: InputFile.folder.path("written.m3u8"))
    }

    private static func rewritten(_ list: PlaylistFile) throws(BrokenPromise) -> PlaylistFile {
        let path = InputFile.folder.path("written.xspf")
        do {
            try list.write(path: path)
            return try PlaylistFile(path: path)
        } catch {
            throw BrokenPromise("a list that was written is refused: \(error)")
        }
    }
}
