import BarlineTime
import Foundation
import Synchronization

extension OutputSupervisor {
    /// Treats the current device as temporary: looks for a better one, at growing intervals, and switches to the first
    /// one found. Ends then, or when another device is chosen.
    ///
    /// - Parameters:
    ///   - find: opens a better device; throws while there is none.
    ///   - reopen: opens such a device again when it is lost.
    ///   - found: called with the new device.
    package func improve(
        with find: @escaping Opening, reopenWith reopen: @escaping @Sendable (OutputFormat) -> Opening,
        then found: @escaping @Sendable (OutputFormat) -> Void
    ) {
        state.withLock { $0.isTemporary = true }
        NamedThread.start("barline-stopgap") { [weak self] in
            var wait = self?.timeouts.firstSearch ?? 0
            while let self, self.pauseWhileTemporary(seconds: wait) {
                wait = min(2 * wait, self.timeouts.longestSearch)
                guard let device = try? find() else { continue }
                let format = device.format
                let takes = self.state.withLock { $0.takes }
                guard (try? self.take(device, reopenWith: reopen(format), where: \.isTemporary)) != nil else {
                    // A device that was found but can't be started is looked for again, unless another one was chosen.
                    self.state.withLock { $0.isTemporary = $0.takes <= takes + 1 }
                    continue
                }
                if self.state.withLock({ $0.device === device }) { found(self.format) }
                return
            }
        }
    }

    /// Waits.
    ///
    /// - Returns: whether the current device is still temporary.
    private func pauseWhileTemporary(seconds: Double) -> Bool {
        let until = Date(timeIntervalSinceNow: seconds)
        while true {
            let seen = worker.wakeCount
            if worker.shouldEnd || !state.withLock({ $0.isTemporary }) { return false }
            let left = until.timeIntervalSinceNow
            if left <= 0 { return true }
            worker.pause(since: seen, seconds: left)
        }
    }
}
