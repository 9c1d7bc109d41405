extension SessionDocument {
    /// The version of the format that this program reads and writes.
    package static let formatVersion = 1

    /// Reads the session file at `path`.
    ///
    /// - Throws: ``SessionError``, which names the invalid key.
    /// - Complexity: O(*n*) in the characters of the file.
    public init(path: String) throws(SessionError) {
        let data = try SessionFile.read(path)
        switch JSONText.parse(data) {
        case .success(let value): try self.init(value, file: path)
        case .failure(let error): throw .file(path: path, reason: SessionFile.describe(error))
        }
    }

    /// Reads a session from JSON; errors refer to it as `file`.
    ///
    /// - Complexity: O(*n*) in the values.
    public init(_ value: JSONValue, file: String) throws(SessionError) {
        var reader = try ObjectReader(value, file: file, path: "")
        if case .number(let version)? = reader.value("barline"), version > Double(SessionDocument.formatVersion) {
            throw .unsupported(
                path: file, key: "barline",
                what:
                    "was saved by a newer Barline, in version \(JSONValue.number(version).line) of the format; this one reads "
                    + "\(SessionDocument.formatVersion)")
        }
        guard reader.value("barline") == .number(Double(SessionDocument.formatVersion)) else {
            throw reader.error("barline", expected: "\(SessionDocument.formatVersion), the version of the format")
        }
        for key in SessionDocument.keys { try key.read(&reader, &self) }
        rest = reader.rest
        try check(file: file)
    }

    /// What must hold between a session's parts; of those that are as in `before`, a session that was read, it does.
    func check(file: String, since before: SessionDocument? = nil) throws(SessionError) {
        if tracks != before?.tracks { try checkIdentifiers(file: file, since: before?.tracks ?? []) }
        try checkStems(file: file)
        if items != before?.items { try checkPlaylist(file: file) }
        try parts.check(file: file)
        try checkInputs(file: file)
        try checkEffects(file: file)
        try checkSends(file: file)
    }

    private func checkStems(file: String) throws(SessionError) {
        var ids: Set<String> = []
        for (index, stem) in stems.enumerated() {
            let key = "stems[\(index)]"
            if !ids.insert(stem.id).inserted { throw .duplicate(path: file, key: "\(key).id", id: stem.id) }
            if stem.followsTempo != stems[0].followsTempo {
                throw .value(
                    path: file, key: "\(key).playback",
                    expected: stems[0].followsTempo
                        ? "\"stretch\" or \"repitch\", as the other stems" : "\"original\", as the other stems",
                    found: "\"\(stem.playback.rawValue)\"")
            }
            if stem.followsTempo, stem.bpm != stems[0].bpm {
                throw .value(
                    path: file, key: "\(key).bpm", expected: "the tempo of the other stems",
                    found: stem.bpm.map { "\($0)" } ?? "nothing")
            }
        }
        var names: Set<String> = []
        for (index, marker) in markers.enumerated() where !names.insert(marker.name).inserted {
            throw .duplicate(path: file, key: "markers[\(index)].name", id: marker.name)
        }
    }

    func checkPlaylist(file: String) throws(SessionError) {
        var ids: Set<String> = []
        for (index, item) in items.enumerated() where !ids.insert(item.id).inserted {
            throw .duplicate(path: file, key: "playlist[\(index)].id", id: item.id)
        }
    }

    private func checkIdentifiers(file: String, since before: [TrackDocument]) throws(SessionError) {
        var trackIDs: Set<String> = []
        for (index, track) in tracks.enumerated() where !trackIDs.insert(track.id).inserted {
            throw .duplicate(path: file, key: "tracks[\(index)].id", id: track.id)
        }
        // Clips that are where they were, with the identifiers that they had, have places and identifiers of their own
        // still.
        var known = TracksByID(before)
        let areInPlace = tracks.enumerated().allSatisfy { index, track in
            known.track(track.id, near: index)?.clips.areInPlace(track.clips) ?? false
        }
        if areInPlace { return }
        var clipIDs: Set<String> = []
        for (trackIndex, track) in tracks.enumerated() {
            let key = "tracks[\(trackIndex)]"
            var slots: Set<Int> = []
            for (clipIndex, clip) in track.clips.enumerated() {
                let clipKey = "\(key).clips[\(clipIndex)]"
                if !clipIDs.insert(clip.id).inserted {
                    throw .duplicate(path: file, key: "\(clipKey).id", id: clip.id)
                }
                if !slots.insert(clip.slot).inserted {
                    throw .value(
                        path: file, key: "\(clipKey).slot", expected: "a slot that no other clip of the track is in",
                        found: "\(clip.slot)")
                }
            }
        }
    }
}

extension [ClipDocument] {
    /// Whether others have the same identifiers and rows as these.
    fileprivate func areInPlace(_ others: [ClipDocument]) -> Bool {
        if count != others.count { return false }
        let isShared = withUnsafeBufferPointer { mine in
            others.withUnsafeBufferPointer { mine.baseAddress == $0.baseAddress }
        }
        return isShared || zip(self, others).allSatisfy { $0.id == $1.id && $0.slot == $1.slot }
    }
}
