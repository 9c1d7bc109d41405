import CRealtime

/// Memory that is not swapped out: what the audio thread touches is there at once.
package enum LockedMemory {
    /// Locks all that the program has and will have, where it may lock as much as it likes. Elsewhere nothing is
    /// locked, and ``Diagnosis`` says what to do about it.
    ///
    /// - Returns: whether it is locked.
    @discardableResult
    package static func lock(_ machine: MachineFacts = MachineFacts()) -> Bool {
        machine.locksMemory && rt_memory_lock() == 0
    }
}
