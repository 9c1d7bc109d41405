import BarlineEngine
import BarlineTime

extension PerformanceHistory {
    /// What was done from `since` on and before `end`, in frames since then, with what it takes to begin there.
    ///
    /// - Parameters:
    ///   - since: the first frame.
    ///   - end: the frame after the last one; `nil` for all that is known.
    ///   - isComplete: whether it has a beginning also where the session that was opened would do.
    /// - Returns: the script.
    func script(since: FrameTime, until end: FrameTime? = nil, isComplete: Bool) -> PerformanceScript {
        let first = min(start, since)
        let last = end ?? FrameTime(.max)
        let known = allSteps.enumerated().filter { $0.element.frame < last }.sorted { first, second in
            (first.element.frame.rawValue, first.element.place, first.offset)
                < (second.element.frame.rawValue, second.element.place, second.offset)
        }
        var script = PerformanceScript()
        script.entries = known.map { entry(of: $0.element, since: since) }
        let needsBeginning =
            start != .zero || since != .zero || script.entries.contains { $0.action.isSession || $0.late > 0 }
        if isComplete || needsBeginning {
            script.beginning = ScriptBeginning(
                session: session, folder: folder.path, frame: FrameTime(first - since),
                frames: end.map { $0 - since }, sampleRate: sampleRate)
        }
        return script
    }
}
