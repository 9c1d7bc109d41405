import Foundation

/// Takes that could not be written where the session is, when it is saved elsewhere.
extension TakeKeeper {
    /// The paths of takes that have ended and could not be written so far, and what they would be in another folder.
    func unwritten(for folder: URL) -> [String: String] {
        state.withLock { state in
            var paths: [String: String] = [:]
            for take in state.open where take.hasFailed && take.isWanted && take.handle.result != nil {
                for path in [take.path, take.playedPath].compactMap(\.self) {
                    let url = URL(fileURLWithPath: path)
                    if url.deletingLastPathComponent().standardizedFileURL == folder.standardizedFileURL { continue }
                    paths[path] = TakeKeeper.freePath(url, in: folder)
                }
            }
            return paths
        }
    }

    /// Writes takes elsewhere, from their first frame on; `paths` are those of ``unwritten(for:)``.
    func move(_ paths: [String: String]) {
        if paths.isEmpty { return }
        queue.sync {
            for take in state.withLock({ $0.open }) where take.hasFailed {
                guard let path = paths[take.path] else { continue }
                take.move(to: path, playedPath: take.playedPath.flatMap { paths[$0] })
            }
        }
        finish()
    }

    private static func freePath(_ url: URL, in folder: URL) -> String {
        let (stem, ending) = (url.deletingPathExtension().lastPathComponent, url.pathExtension)
        var place = folder.appendingPathComponent(url.lastPathComponent)
        var number = 2
        while FileManager.default.fileExists(atPath: place.path) {
            place = folder.appendingPathComponent("\(stem) (\(number)).\(ending)")
            number += 1
        }
        return place.path
    }
}

extension TakeKeeper.OpenTake {
    /// Has all of it written into another file. What there is of the former one stays: it is not whole, but all that is
    /// on a disk.
    fileprivate func move(to path: String, playedPath: String?) {
        try? file?.close()
        try? playedFile?.close()
        journal?.remove()
        (file, playedFile, journal) = (nil, nil, nil)
        (self.path, self.playedPath) = (path, playedPath)
        hasFailed = false
    }
}
