/// Where a render writes to.
extension OfflineRender {
    /// Refuses to write over what is read.
    func check(_ reads: ReadFiles) throws(SessionError) {
        var places = [output.path, output.eventsPath].compactMap(\.self)
        if let folder = output.stemsFolder {
            let (document, strips) = player.bound.withLock { ($0.document, $0.strips) }
            for strip in strips where !strip.isOptional || RenderSinks.sounds(strip, in: document, usesMetronome) {
                places.append(RenderedFile.path(of: strip.name, in: folder))
            }
        }
        if let folder = output.takesFolder {
            places += script.entries.compactMap(\.action.recordedID).map { RenderedFile.path(of: $0, in: folder) }
        }
        for path in places { try reads.check(path, readFor: RenderedFile.purpose) }
    }
}
