import BarlineEngine
import BarlineTime

// What was asked for later, and what the session has of it.
extension PerformanceHistory {
    /// Edits that are still to come may not know of so many plans at most.
    private static let keptCount = 64

    /// How much is for a beat that has not come.
    var planCount: Int { plans.values.reduce(0) { $0 + $1.count } }

    /// What was planned is kept by the session since it took effect. Edits that were made meanwhile have it too.
    ///
    /// - Parameters:
    ///   - command: what it was sent as.
    ///   - revision: which change of the document has it.
    mutating func keepPlan(_ command: CommandID, revision: Int) {
        if let index = unplaced.firstIndex(where: { $0.isPlanned(as: command) }) {
            (unplaced[index].isKept, unplaced[index].revision) = (true, revision)
        } else if let index = steps.lastIndex(where: { $0.isPlanned(as: command) && $0.isPlan }) {
            (steps[index].isKept, steps[index].revision) = (true, revision)
            noteKept(steps[index])
            unwritten?.append(steps[index])
            let plan = steps[index]
            for later in steps.indices where lacks(plan, steps[later]) {
                steps[later] = knowing(plan, steps[later])
                unwritten?.append(steps[later])
            }
        } else if var step = filedPlans[command.rawValue] {
            if isEdited(since: step.frame, place: step.place) { return }
            withdrawFiled(step)
            (step.isKept, step.revision) = (true, revision)
            keep(step)
        }
    }

    private mutating func noteKept(_ plan: HistoryStep) {
        keptPlans.append(plan)
        if keptPlans.count > PerformanceHistory.keptCount { keptPlans.removeFirst() }
    }

    /// An edit with what is kept since before it and was not known when it was made; any other step as it is.
    func knowingKeptPlans(_ step: HistoryStep) -> HistoryStep {
        keptPlans.reduce(step) { knowing($1, $0) }
    }

    /// Whether a step is an edit that was made before a plan was kept, and came after that had taken effect.
    private func lacks(_ plan: HistoryStep, _ step: HistoryStep) -> Bool {
        step.entry.action.isSession && step.revision < plan.revision
            && (plan.frame, plan.place) < (step.frame, step.place)
    }

    private func knowing(_ plan: HistoryStep, _ step: HistoryStep) -> HistoryStep {
        guard lacks(plan, step), case .session(var session, let kept) = step.entry.action else { return step }
        session.keep(plan.entry.action)
        var step = step
        step.entry.action = .session(session, kept: kept)
        return step
    }

    /// Whether an edit was sent after a command and is still to be taken.
    func isEditWaiting(after command: CommandID) -> Bool {
        waiting.contains { $0.key.rawValue > command.rawValue && $0.value.contains { $0.entry.action.isSession } }
    }

    /// Adds what has come before `frame`, on which an edit was taken that it waited for.
    mutating func placePlans(before frame: FrameTime) {
        let due = unplaced.filter { $0.frame < frame }
        unplaced.removeAll { $0.frame < frame }
        for step in due { place(step) }
    }

    /// Has what has come on `frame` be behind the edit that was taken there.
    mutating func placePlans(on frame: FrameTime, rank: Int) {
        for index in unplaced.indices { unplaced[index].rank = rank }
        if waiting.values.joined().contains(where: \.entry.action.isSession) { return }
        let due = unplaced
        unplaced = []
        for step in due { place(step) }
    }

    private mutating func place(_ step: HistoryStep) {
        if step.isKept { noteKept(step) }
        keep(step)
    }

    /// Whether something was planned that is not to come before `now`.
    func hasPlans(from now: FrameTime) -> Bool {
        !plans.isEmpty || steps.contains { $0.isPlan && $0.frame >= now }
    }

    /// Forgets what was planned from `now` on and is not to be done.
    mutating func callOff(from now: FrameTime, where isCalledOff: (ScriptAction) -> Bool) {
        plans = plans.mapValues { $0.filter { !isCalledOff($0.entry.action) } }.filter { !$0.value.isEmpty }
        steps.removeAll { $0.isPlan && $0.frame >= now && isCalledOff($0.entry.action) }
    }

    /// What was planned and has gone to the file comes again, as what it has become.
    mutating func withdrawFiled(_ step: HistoryStep) {
        filedPlans[step.order] = nil
        filed.withdraw(step, start: start)
    }

    /// Whether the session was edited after what is `place` on `frame`, and had nothing then of what took effect there.
    func isEdited(since frame: FrameTime, place: Int = .max) -> Bool {
        (filed.lastEdit, Int.max) > (frame, place) || waiting.values.joined().contains { $0.entry.action.isSession }
            || steps.contains { $0.entry.action.isSession && ($0.frame, $0.place) > (frame, place) }
    }
}
