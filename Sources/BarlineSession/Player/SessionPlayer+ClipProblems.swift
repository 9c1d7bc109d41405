import BarlineEngine

extension SessionPlayer {
    /// That the file of the metronome's sound could not be loaded, in one line: it clicks with its own.
    public var clickProblems: [String] { bound.withLock { $0.clickProblem.map { [$0] } ?? [] } }

    /// Problems with the files of clips that play from them, since they were loaded, one line each: what could not be read
    /// is silent.
    ///
    /// - Complexity: O(*n*) in the clips, and O(*n* log *n*) in the problems.
    public var clipProblems: [String] {
        let problems = engine.launcher.streamProblems
        if problems.isEmpty { return [] }
        let (document, path, ids) = bound.withLock { ($0.document, $0.path, $0.clipIDs) }
        let byID = Dictionary(
            problems.compactMap { clip, problem in ids[clip].map { ($0, problem) } },
            uniquingKeysWith: { first, _ in first })
        return document.tracks.enumerated().flatMap { trackIndex, track in
            track.clips.enumerated().compactMap { clipIndex, clip in
                byID[clip.id].map { "\(path): tracks[\(trackIndex)].clips[\(clipIndex)].file: \($0)" }
            }
        }
    }
}
