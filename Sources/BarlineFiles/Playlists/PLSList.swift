import Foundation

/// PLS: `File1=`, `Title1=`, `Length1=` and so on, in a section `[playlist]`.
enum PLSList {
    static func parse(_ text: String, path: String) throws(AudioFileError) -> PlaylistFile {
        let folder = path.folderPath
        var entries: [Int: PlaylistEntry] = [:]
        var isInside = false
        var wasInside = false
        for line in PlaylistText.lines(text) {
            if line.hasPrefix("[") {
                isInside = line.lowercased() == "[playlist]"
                wasInside = wasInside || isInside
                continue
            }
            guard isInside, let equals = line.firstIndex(of: "=") else { continue }
            let key = line[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
            let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            guard let number = Int(key.drop { !$0.isASCIIDigit }), !value.isEmpty else { continue }
            var entry = entries[number] ?? PlaylistEntry(location: "")
            switch key.prefix(while: { !$0.isASCIIDigit }) {
            case "file": entry.location = PlaylistLocation.resolve(path: value, in: folder) ?? ""
            case "title": entry.title = value
            case "length": entry.duration = Double(value).flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
            default: continue
            }
            entries[number] = entry
        }
        guard wasInside else { throw .notAPlaylist(path: path, reason: "there is no section [playlist]") }
        var list = PlaylistFile()
        list.entries = entries.sorted { $0.key < $1.key }.map(\.value).filter { !$0.location.isEmpty }
        return list
    }
}
