import Foundation

/// Takes that could not be written where the session is, when it is saved elsewhere.
extension TakeKeeper {
    /// The paths of takes that have ended and could not be written so far, and what they would be in another folder. They
    /// are not tried again before ``release()``: a document may name them otherwise by then.
    func hold(for folder: URL) -> [String: String] {
        queue.sync {
            let open = state.withLock { $0.open }
            var paths: [String: String] = [:]
            for take in open where take.hasFailed && take.isWanted && take.handle.result != nil {
                take.isHeld = true
                for path in [take.path, take.playedPath].compactMap(\.self) {
                    let url = URL(fileURLWithPath: path)
                    if url.deletingLastPathComponent().standardizedFileURL == folder.standardizedFileURL { continue }
                    paths[path] = TakeKeeper.freePath(url, in: folder)
                }
            }
            return paths
        }
    }

    /// Has takes that are held written elsewhere, from their first frame on; `paths` are those of ``hold(for:)``.
    func move(_ paths: [String: String]) {
        queue.sync {
            for take in state.withLock({ $0.open }) where take.isHeld {
                guard let path = paths[take.path] else { continue }
                take.move(to: path, playedPath: take.playedPath.flatMap { paths[$0] })
            }
        }
    }

    /// Has what was held tried again, where it is now.
    func release() {
        let hasHeld = queue.sync {
            let held = state.withLock { $0.open }.filter(\.isHeld)
            for take in held { take.isHeld = false }
            return !held.isEmpty
        }
        if hasHeld { finish() }
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
