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
        let present = seen.subtracting(absent)
        for (name, files) in Dictionary(grouping: absent, by: { FileSearch.key($0.lastPathName) }) {
            if let chosen = byName[name] ?? byTitle[FileSearch.key(files[0].lastPathName.withoutPathEnding)] {
                found.merge(FileSearch.matches(for: files, among: chosen)) { $1 }
                // Who chooses one file for two means both.
                for file in files where found[file] == nil {
                    found[file] = FileSearch.nearest(to: file, of: chosen.indices, in: chosen).map { chosen[$0].path }
                }
            } else {
                let unused = (others[name] ?? []).filter { !present.contains($0.path) }
                found.merge(FileSearch.matches(for: files, among: unused)) { $1 }
            }
        }
        missing = absent.filter { found[$0] == nil }
    }

    /// Gives each of some files the candidate whose folders are called most like its own, but none to two of them: what
    /// has one name in two folders is two sounds.
    private static func matches(for files: [String], among candidates: [Candidate]) -> [String: String] {
        var left = Array(candidates.indices)
        let best = files.map { file in
            nearest(to: file, of: left, in: candidates).map { likeness(of: file, candidates[$0].path) } ?? 0
        }
        var matches: [String: String] = [:]
        for index in files.indices.sorted(by: { (best[$1], $0) < (best[$0], $1) }) {
            guard let candidate = nearest(to: files[index], of: left, in: candidates) else { break }
            matches[files[index]] = candidates[candidate].path
            left.removeAll { $0 == candidate }
        }
        return matches
    }

    /// What names have in common that systems and archives write differently: capitals, and how accents are composed.
    private static func key(_ name: String) -> String { name.precomposedStringWithCanonicalMapping.lowercased() }

    /// The candidate whose folders are called as those of `file`, as far up as any; of those that are as near the first.
    private static func nearest(to file: String, of indices: some Sequence<Int>, in candidates: [Candidate]) -> Int? {
        indices.max { first, second in
            let (one, other) = (likeness(of: file, candidates[first].path), likeness(of: file, candidates[second].path))
            return (one, second) < (other, first)
        }
    }

    /// How many folders are called the same in two paths, from their files up.
    private static func likeness(of path: String, _ other: String) -> Int {
        zip(path.split(separator: "/").dropLast().reversed(), other.split(separator: "/").dropLast().reversed())
            .prefix { $0 == $1 }.count
    }
}
