import BarlineTime
import Foundation

// The journal of a recording.
extension PerformanceHistory {
    /// Begins a journal of a recording from `since` on.
    ///
    /// - Parameter since: the recording's first frame.
    /// - Returns: what it begins in, and what gives the lines of all that was done so far, which takes as long as that
    ///   is much.
    mutating func beginJournal(
        since: FrameTime
    ) -> (beginning: ScriptBeginning, past: @Sendable () -> [TakeJournal.Line]) {
        unwritten = []
        let history = self
        let beginning = ScriptBeginning(
            session: session, folder: folder.path, frame: FrameTime(min(start, since) - since), frames: nil,
            sampleRate: sampleRate)
        return (beginning, { history.lines(history.allSteps, since: since) })
    }

    func entry(of step: HistoryStep, since: FrameTime) -> ScriptEntry {
        var entry = step.entry
        entry.time = .frame(FrameTime(step.frame - since))
        entry.isPlanned = step.isPlan
        if step.folder.path != folder.path {
            entry.action = entry.action.withFiles { URL(fileURLWithPath: $0, relativeTo: step.folder).path }
        }
        return entry
    }

    private func lines(_ steps: [HistoryStep], since: FrameTime) -> [TakeJournal.Line] {
        steps.map { TakeJournal.Line(entry: entry(of: $0, since: since), order: $0.order, place: $0.place) }
    }

    /// What has come, or has turned out otherwise, since this was asked the last time.
    mutating func takeJournal(since: FrameTime) -> [TakeJournal.Line] {
        guard let steps = unwritten, !steps.isEmpty else { return [] }
        unwritten = []
        return lines(steps, since: since)
    }

    mutating func endJournal() { unwritten = nil }
}
