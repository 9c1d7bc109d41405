import BarlineTime
import CRealtime

extension OutputSupervisor {
    /// The report of what has happened to the output.
    struct Account {
        /// What nobody has taken yet, in order.
        var changes: [OutputChange] = []
        /// When the device was lost, in nanoseconds; `nil` while there is one.
        var lostSince: Int64?
    }

    /// Changes that nobody takes are kept, up to so many.
    private static let changeLimit = 64

    /// What has become of the output since the last call, in order.
    package func takeChanges() -> [OutputChange] {
        state.withLock { state in
            defer { state.account.changes = [] }
            return state.account.changes
        }
    }

    /// Notes that the device is gone.
    func noteLoss() {
        let frame = engine.now
        state.withLock { state in
            guard state.account.lostSince == nil else { return }
            state.account.lostSince = rt_monotonic_nanoseconds()
            OutputSupervisor.note(.lost, &state, at: frame)
        }
    }

    /// Notes that a device plays, which may be another one that was chosen.
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
