import Foundation
import NIOCore

/// The page's modules: which of them a module needs.
///
/// A browser learns what a module imports when it has read it. That is as many round trips as the imports are deep: told
/// of all of them with the page itself, it asks for them at once.
enum PageModules {
    /// The modules that a module imports, those that these import, and so on.
    ///
    /// - Parameters:
    ///   - module: its path, as `/modules/main.js`.
    ///   - contents: gives what is in the file at a path; `nil` where there is none.
    /// - Returns: their paths in the order in which they are met, without `module` itself.
    /// - Complexity: O(*n*) in the bytes of all of them.
    static func needed(by module: String, contents: (String) -> ByteBufferView?) -> [String] {
        var found = [module]
        var known: Set<String> = [module]
        var next = 0
        while next < found.count {
            let path = found[next]
            next += 1
            for name in contents(path).map(imports) ?? [] {
                let other = resolve(name, from: path)
                if known.insert(other).inserted { found.append(other) }
            }
        }
        return Array(found.dropFirst())
    }

    /// A page that asks for modules beforehand. In a header they would be more than many a proxy takes.
    static func asking(for modules: [String], _ page: ByteBuffer) -> ByteBuffer {
        let links = modules.map { "<link rel=\"modulepreload\" href=\"\($0)\">\n" }.joined()
        return ByteBuffer(string: String(buffer: page).replacingOccurrences(of: "</head>", with: links + "</head>"))
    }

    /// The relative names that a module's lines import from.
    private static func imports(_ module: ByteBufferView) -> [String] {
        let start = Array(" from \"".utf8)
        var names: [String] = []
        for line in module.split(separator: UInt8(ascii: "\n")) where line.last == UInt8(ascii: "\"") {
            let rest = line.dropLast()
            guard let quote = rest.lastIndex(of: UInt8(ascii: "\"")) else { continue }
            let name = rest[(quote + 1)...]
            if name.first == UInt8(ascii: "."), rest[...quote].suffix(start.count).elementsEqual(start) {
                names.append(String(decoding: name, as: UTF8.self))
            }
        }
        return names
    }

    private static func resolve(_ name: String, from path: String) -> String {
        var parts = path.split(separator: "/").dropLast()
        for part in name.split(separator: "/") where part != "." {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
