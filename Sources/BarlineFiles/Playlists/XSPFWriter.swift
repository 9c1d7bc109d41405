/// Writes XSPF, with offsets to the exact unit in an extension that other programs ignore.
enum XSPFWriter {
    static func text(_ list: PlaylistFile) -> String {
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#, #"<playlist version="1" xmlns="http://xspf.org/ns/0/">"#,
        ]
        lines += element("title", list.title, indent: 2)
        lines.append("  <trackList>")
        for entry in list.entries {
            lines.append("    <track>")
            lines += element("location", PlaylistLocation.uri(of: entry.location), indent: 6)
            lines += element("title", entry.title, indent: 6)
            lines += element("creator", entry.artist, indent: 6)
            lines += element("album", entry.album, indent: 6)
            lines += element("trackNum", entry.trackNumber.flatMap { $0 > 0 ? String($0) : nil }, indent: 6)
            let milliseconds = entry.duration.map { String(Int64((min($0, 1e12) * 1000).rounded())) }
            lines += element("duration", milliseconds, indent: 6)
            lines += offsets(of: entry)
            lines.append("    </track>")
        }
        return (lines + ["  </trackList>", "</playlist>", ""]).joined(separator: "\n")
    }

    private static func offsets(of entry: PlaylistEntry) -> [String] {
        guard entry.start > .start || entry.end != nil else { return [] }
        let namespace = XSPFReader.extensionNamespace
        let end = entry.end.map { #" end="\#($0.units)/\#($0.unitsPerSecond)""# } ?? ""
        return [
            #"      <extension application="\#(namespace)">"#,
            #"        <offsets xmlns="\#(namespace)" start="\#(entry.start.units)/\#(entry.start.unitsPerSecond)"\#(end)/>"#,
            "      </extension>",
        ]
    }

    private static func element(_ name: String, _ text: String?, indent: Int) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        return [String(repeating: " ", count: indent) + "<\(name)>\(escaped(text))</\(name)>"]
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            // Control characters are in no XML document, not even escaped.
            case "\t", "\n", "\r", " "...: escaped.unicodeScalars.append(scalar)
            default: continue
            }
        }
        return escaped
    }
}
