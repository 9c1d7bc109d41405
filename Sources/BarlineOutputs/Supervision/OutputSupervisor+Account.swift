import BarlineTime
import CRealtime

extension OutputSupervisor {
    /// The log of output changes.
    struct Account {
        /// The changes not taken yet, in order.
        var changes: [OutputChange] = []
        /// The time at which the device was lost, in nanoseconds; `nil` while there is one.
        var lostSince: Int64?
    }

    /// The maximum number of changes kept until they are taken.
    private static let changeLimit = 64

    /// Takes the output's changes since the last call, in order.
    package func takeChanges() -> [OutputChange] {
        state.withLock { state in
            defer { state.account.changes = [] }
            return state.account.changes
        }
    }

    /// Records that the device was lost.
    func noteLoss() {
        let frame = engine.now
        state.withLock { state in
            guard state.account.lostSince == nil else { return }
            state.account.lostSince = rt_monotonic_nanoseconds()
            OutputSupervisor.note(.lost, &state, at: frame)
        }
    }

    /// Records that a device plays, which may be a newly chosen one.
    func noteReturn(isChosen: Bool) {
        let frame = engine.now
        state.withLock { state in
            if let since = state.account.lostSince {
                state.account.lostSince = nil
                let seconds = Double(rt_monotonic_nanoseconds() - since) * 1e-9
                OutputSupervisor.note(.recovered(after: seconds), &state, at: frame)
            } else if isChosen {
                OutputSupervisor.note(.changed, &state, at: frame)
            }
        }
    }

    private static func note(_ kind: OutputChange.Kind, _ state: inout State, at frame: FrameTime) {
        guard state.account.changes.count < changeLimit else { return }
        state.account.changes.append(OutputChange(kind: kind, name: state.device.format.name, frame: frame))
    }
}
