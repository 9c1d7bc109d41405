import BarlineTime
import Foundation
import Synchronization

extension OutputSupervisor {
    /// Takes the device in use for a stopgap: looks for a better one, less and less often, and lets the first one that
    /// is found take over. Ends with that, and when another device is chosen.
    ///
    /// - Parameters:
    ///   - find: opens a better device; throws as long as there is none.
    ///   - reopen: how to open such a device again when it is lost.
    ///   - found: is called with what plays now.
    package func improve(
        with find: @escaping Opening, reopenWith reopen: @escaping @Sendable (OutputFormat) -> Opening,
        then found: @escaping @Sendable (OutputFormat) -> Void
    ) {
        state.withLock { $0.isStopgap = true }
        NamedThread.start("barline-stopgap") { [weak self] in
            var wait = self?.patience.firstLook ?? 0
            while let self, self.pauseAsStopgap(seconds: wait) {
                wait = min(2 * wait, self.patience.longestLook)
                guard let device = try? find() else { continue }
                let format = device.format
                let takes = self.state.withLock { $0.takes }
                guard (try? self.take(device, reopenWith: reopen(format), where: \.isStopgap)) != nil else {
                    // A device that was there and can't be started is looked for again, unless another one was chosen.
                    self.state.withLock { $0.isStopgap = $0.takes <= takes + 1 }
                    continue
                }
                if self.state.withLock({ $0.device === device }) { found(self.format) }
                return
            }
        }
    }

    /// Waits.
    ///
    /// - Returns: whether the device in use is a stopgap still.
    private func pauseAsStopgap(seconds: Double) -> Bool {
        let until = Date(timeIntervalSinceNow: seconds)
        while true {
            let seen = worker.wakeCount
            if worker.shouldEnd || !state.withLock({ $0.isStopgap }) { return false }
            let left = until.timeIntervalSinceNow
            if left <= 0 { return true }
            worker.pause(since: seen, seconds: left)
        }
    }
}
