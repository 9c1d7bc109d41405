import BarlineFiles
import Foundation

/// Where a render writes to.
extension OfflineRender {
    /// Refuses to write over what is read.
    static func check(_ output: Output, _ player: SessionPlayer, _ script: PerformanceScript) throws(SessionError) {
        let places = [output.path, output.eventsPath].compactMap(\.self)
        let existing = places.compactMap { path in FileIdentity(path).map { (path: path, file: $0) } }
        if existing.isEmpty { return }
        let session = URL(fileURLWithPath: player.path)
        let files = Set(player.document.files).map { URL(fileURLWithPath: $0, relativeTo: session).path }
        let read = Set(([player.path, script.path] + files).compactMap { FileIdentity($0) })
        for place in existing where read.contains(place.file) {
            throw .file(path: place.path, reason: "is read for this render, and is not written over")
        }
    }
}
