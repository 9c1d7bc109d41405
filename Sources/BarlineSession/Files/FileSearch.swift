import BarlineFiles
import Foundation

/// A search for files that are not where a session says, by their names.
struct FileSearch {
    /// A file that may be one of them.
    struct Candidate {
        /// Its name, as the document would have it.
        let path: String
        /// What it is called.
        let name: String

        /// - Parameters:
        ///   - path: its name, as the document would have it.
        ///   - title: what it was called where it comes from, without its ending; `nil` for its name.
        init(_ path: String, title: String? = nil) {
            self.path = path
            name = title.map { $0 + "." + path.pathEnding } ?? path.lastPathName
        }
    }

    /// Where files were found, by where the session says that they are.
    private(set) var found: [String: String] = [:]
    /// Those that were not found, in the order in which the session names them.
    private(set) var missing: [String] = []

    /// The files of the session's folder and of the library that are looked at.
    private static let limit = 50_000

    /// Looks for those of `files` that are missing.
    ///
    /// - Parameters:
    ///   - files: the files of the session.
    ///   - given: files that were chosen, which may have another ending than what is looked for.
    ///   - media: where else is looked.
    /// - Complexity: O(*n* log *n*) in the files of the folders, if any is missing.
    init(for files: [String], given: [Candidate], in media: MediaFolders) {
        var seen: Set<String> = []
        let absent = files.filter { file in
            seen.insert(file).inserted
                && !FileManager.default.fileExists(
                    atPath: URL(fileURLWithPath: file, relativeTo: media.session).path)
        }
        if absent.isEmpty { return }
        let byName = Dictionary(grouping: given) { FileSearch.key($0.name) }
        let byTitle = Dictionary(grouping: given) { FileSearch.key($0.name.withoutPathEnding) }
        let others = Dictionary(grouping: media.allAudio(limit: FileSearch.limit).map { Candidate($0) }) {
            FileSearch.key($0.name)
        }
        for file in absent {
            let name = FileSearch.key(file.lastPathName)
            let candidates =
                byName[name] ?? byTitle[FileSearch.key(file.lastPathName.withoutPathEnding)] ?? others[name] ?? []
            if let best = FileSearch.nearest(to: file, of: candidates) {
                found[file] = best.path
            } else {
                missing.append(file)
            }
        }
    }

    /// What names have in common that systems and archives write differently: capitals, and how accents are composed.
    private static func key(_ name: String) -> String { name.precomposedStringWithCanonicalMapping.lowercased() }

    /// The candidate whose folders are called as those of `file`, as far up as any.
    private static func nearest(to file: String, of candidates: [Candidate]) -> Candidate? {
        let folders = file.split(separator: "/").dropLast().reversed()
        func likeness(_ candidate: Candidate) -> Int {
            zip(folders, candidate.path.split(separator: "/").dropLast().reversed()).prefix { $0 == $1 }.count
        }
        // The first one of those that are as near.
        return candidates.reversed().max { likeness($0) < likeness($1) }
    }
}
