/// The parts of paths, found by their slashes and dots.
///
/// Foundation's functions for them (those of `NSString`, on Linux) end the program where characters beyond ASCII follow
/// two slashes, as in `http://é`; and paths come from whoever writes a list, a session or an action.
extension String {
    /// The name at the end of a path, however many slashes follow it; `/` for the root.
    package var lastPathName: String {
        let path = withoutTrailingSlashes
        guard let slash = path.lastIndex(ofByte: "/"), path.utf8.count > 1 else { return String(path) }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// A path without the name at its end: the folder that it is in, `/` for the root, empty for a name alone.
    package var folderPath: String {
        let path = withoutTrailingSlashes
        guard let slash = path.lastIndex(ofByte: "/") else { return "" }
        let folder = String(path[..<slash]).withoutTrailingSlashes
        return folder.isEmpty ? "/" : String(folder)
    }

    /// The ending of the name at the end of a path, without its dot; empty where it has none, and for names that begin
    /// with their only dot.
    package var pathEnding: String {
        let name = lastPathName
        guard let dot = name[...].lastIndex(ofByte: "."), dot > name.startIndex else { return "" }
        return String(name[name.utf8.index(after: dot)...])
    }

    /// A path without the ending of the name at its end, and without the dot.
    package var withoutPathEnding: String {
        let ending = pathEnding
        let path = withoutTrailingSlashes
        return ending.isEmpty ? String(path) : String(path.utf8.dropLast(ending.utf8.count + 1)) ?? self
    }

    /// The same without the slashes at its end; a root keeps one.
    private var withoutTrailingSlashes: Substring {
        let count = utf8.reversed().prefix { $0 == UInt8(ascii: "/") }.count
        return self[..<utf8.index(endIndex, offsetBy: -Swift.min(count, Swift.max(0, utf8.count - 1)))]
    }
}

extension Substring {
    fileprivate func lastIndex(ofByte byte: Unicode.Scalar) -> Index? { utf8.lastIndex(of: UInt8(ascii: byte)) }
}
