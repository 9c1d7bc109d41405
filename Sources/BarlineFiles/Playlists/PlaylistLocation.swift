import Foundation

/// The names of files in playlists: paths, relative to the list, and URIs.
enum PlaylistLocation {
    /// The lowercase scheme of a URI; `nil` for a path. A single letter is a drive.
    static func scheme(of text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon]
        guard scheme.count > 1, text[colon...].hasPrefix("://"), let first = scheme.first, first.isASCII,
            first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return scheme.lowercased()
    }

    /// What a line that is a path or a URL leads to, from a list in `folder`; `nil` where it leads nowhere.
    static func resolve(path text: String, in folder: String) -> String? {
        guard !text.isEmpty, !text.contains("\0") else { return nil }
        if let scheme = scheme(of: text) { return scheme == "file" ? filePath(ofURI: text) : plain(text) }
        if text.lowercased().hasPrefix("file:/") { return percentDecoded(text.dropFirst(5)) }
        let path = absolute(text, in: folder)
        // Lists made on Windows separate folders by backslashes, which elsewhere may be part of a name.
        guard text.contains("\\"), !text.contains("/"), !FileManager.default.fileExists(atPath: path) else {
            return path
        }
        return absolute(text.replacingOccurrences(of: "\\", with: "/"), in: folder)
    }

    /// What a line of an M3U leads to, from a list in `folder`; `nil` where it leads nowhere. Some programs write the
    /// relative paths of files as URIs have them.
    static func resolve(line: String, in folder: String) -> String? {
        guard let location = resolve(path: line, in: folder) else { return nil }
        guard line.contains("%"), scheme(of: location) == nil, !FileManager.default.fileExists(atPath: location),
            let decoded = resolve(reference: line, in: folder), FileManager.default.fileExists(atPath: decoded)
        else { return location }
        return decoded
    }

    /// What a URI reference leads to, from a list in `folder`; `nil` where it leads nowhere.
    static func resolve(reference text: String, in folder: String) -> String? {
        guard !text.isEmpty, !text.contains("\0") else { return nil }
        if let scheme = scheme(of: text) { return scheme == "file" ? filePath(ofURI: text) : plain(text) }
        if text.lowercased().hasPrefix("file:/") { return percentDecoded(text.dropFirst(5)) }
        return percentDecoded(text[...]).map { absolute($0, in: folder) }
    }

    /// A URL without the control characters that none has: a line break in one would be a line of the request that
    /// fetches it.
    private static func plain(_ url: String) -> String {
        url.unicodeScalars.map { scalar in
            scalar.value < 0x20 || scalar.value == 0x7F
                ? "%" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
                : String(scalar)
        }.joined()
    }

    private static func filePath(ofURI text: String) -> String? {
        let rest = text.dropFirst("file://".count)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        let host = rest[..<slash].lowercased()
        guard let path = percentDecoded(rest[slash...]) else { return nil }
        // A file of another machine is one that is missing here, and its entry says so.
        return host.isEmpty || host == "localhost" ? path : "//\(host)\(path)"
    }

    /// What is no proper percent coding stays as it is: a name may have a percent sign.
    private static func percentDecoded(_ text: Substring) -> String? {
        let decoded = String(text).removingPercentEncoding ?? String(text)
        return decoded.contains("\0") ? nil : decoded
    }

    private static func absolute(_ path: String, in folder: String) -> String {
        let whole = path.hasPrefix("/") ? path : folder + "/" + path
        return URL(fileURLWithPath: whole).standardized.path
    }

    /// The URI of a path or a URL.
    static func uri(of location: String) -> String {
        guard scheme(of: location) == nil else { return location }
        let kept = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/!$&'()*+,;=:@")
        return "file://" + (location.addingPercentEncoding(withAllowedCharacters: kept) ?? location)
    }

    /// A path as a list in `folder` may name it: relative where it is beneath, so that both can be moved together.
    static func relative(_ location: String, to folder: String) -> String {
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        guard scheme(of: location) == nil, location.hasPrefix(prefix) else { return location }
        let rest = String(location.dropFirst(prefix.count))
        // What begins like a comment or looks like a URL would not be read as a path.
        return rest.hasPrefix("#") || scheme(of: rest) != nil ? "./" + rest : rest
    }
}
