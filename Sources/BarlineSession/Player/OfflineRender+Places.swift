/// Where a render writes to.
extension OfflineRender {
    /// Refuses to write over what is read.
    static func check(
        _ output: Output, _ reads: ReadFiles, _ player: SessionPlayer, _ script: PerformanceScript
    ) throws(SessionError) {
        var places = [output.path, output.eventsPath].compactMap(\.self)
        if let folder = output.stemsFolder {
            places += player.bound.withLock { $0.strips }.map { RenderedFile.path(of: $0.name, in: folder) }
        }
        if let folder = output.takesFolder {
            places += script.entries.compactMap(\.action.recordedID).map { RenderedFile.path(of: $0, in: folder) }
        }
        for path in places { try reads.check(path, readFor: RenderedFile.purpose) }
    }
}
