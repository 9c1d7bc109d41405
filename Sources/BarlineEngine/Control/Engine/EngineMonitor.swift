import BarlineDSP
import Foundation
import Observation

/// An engine's state for a user interface, refreshed at a rate and observable.
///
/// Views that read ``state`` are redrawn when it changes. The monitor does not keep the engine alive, and stops when it
/// is released.
///
/// ```swift
/// let monitor = engine.monitor(perSecond: 30)
/// Text("Bar \(monitor.state.transport.bar)")
/// ```
@MainActor @Observable
public final class EngineMonitor {
    /// The engine's state at the last refresh.
    public private(set) var state: EngineState

    @ObservationIgnored private var refreshing: Task<Void, Never>?

    init(_ engine: Engine, perSecond rate: Double) {
        state = engine.state
        let interval = 1 / min(max(0.1, rate), 1_000)
        refreshing = Task { [weak self, weak engine] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(interval))
                guard let self, let engine else { return }
                let state = engine.state
                if state != self.state { self.state = state }
            }
        }
    }

    isolated deinit { refreshing?.cancel() }
}

extension Engine {
    /// Creates a monitor that refreshes the state at `rate` per second, 0.1 … 1000.
    @MainActor public func monitor(perSecond rate: Double = 30) -> EngineMonitor {
        EngineMonitor(self, perSecond: rate)
    }
}
