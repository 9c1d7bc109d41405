import BarlineEngine
import BarlineTime

/// Settings that were sent for later, which the session keeps from when they take effect.
struct SentPlans {
    /// What was sent.
    struct Plan {
        let action: ScriptAction
        let command: CommandID
        /// The frame that it is for; `nil` for that of a beat, which an event tells when it has come.
        var frame: FrameTime?
    }

    private var sent: [CommandID: Plan] = [:]

    /// More than wait in the engine at once.
    private static let capacity = 32_768

    /// Adds a setting that was sent for a frame, or for a beat that may never come.
    mutating func add(_ action: ScriptAction, sentAs command: CommandID, at moment: any Moment) {
        var plan = Plan(action: action, command: command)
        if case .frame(let due) = moment.due { plan.frame = due }
        sent[command] = plan
        guard sent.count > SentPlans.capacity else { return }
        let middle = sent.keys.map(\.rawValue).sorted()[sent.count / 2]
        sent = sent.filter { $0.key.rawValue > middle }
    }

    /// Forgets those that are not to be done.
    mutating func callOff(where isCalledOff: (ScriptAction) -> Bool) {
        sent = sent.filter { !isCalledOff($0.value.action) }
    }

    /// Takes those that are done.
    ///
    /// - Parameters:
    ///   - events: what has happened.
    ///   - now: the first frame that was not rendered yet.
    /// - Returns: what is done, in order.
    mutating func takeDone(_ events: [EngineEvent], before now: FrameTime) -> [Plan] {
        if sent.isEmpty { return [] }
        for event in events {
            if case .commandTaken(let command) = event.kind { sent[command]?.frame = event.frame }
        }
        let done = sent.values.filter { plan in plan.frame.map { $0 < now } ?? false }
        for plan in done { sent[plan.command] = nil }
        return done.sorted { first, second in
            (first.frame ?? now, first.command.rawValue) < (second.frame ?? now, second.command.rawValue)
        }
    }
}
