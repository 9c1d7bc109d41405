import CSndFile
import Foundation

/// Opens files through libsndfile, which keeps why one could not be opened once for all threads: each that opens another
/// one takes it away. All go on at a time as long as they can open theirs; one that can't opens it again, alone.
enum SndFileOpening {
    private nonisolated(unsafe) static let lock: UnsafeMutablePointer<pthread_rwlock_t> = {
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        pthread_rwlock_init(lock, nil)
        return lock
    }()

    /// What became of a file.
    enum Result {
        case open(OpaquePointer)
        /// Why it is not open.
        case failed(String)
    }

    /// Opens a file.
    ///
    /// - Parameter attempt: opens it, and is called a second time where that failed; `nil` where it could not.
    /// - Returns: the open file, or why it is not.
    static func open(_ attempt: () -> OpaquePointer?) -> Result {
        if let file = beside(attempt) { return .open(file) }
        // Those that open are not held up by one that hangs: who waits for them here lets others go first.
        pthread_rwlock_wrlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        if let file = attempt() { return .open(file) }
        return .failed(SndFileProblem.reason())
    }

    /// Opens a file beside others. Why it could not be is not known for certain.
    ///
    /// - Parameter attempt: opens it; `nil` where it could not.
    /// - Returns: the open file.
    static func beside(_ attempt: () -> OpaquePointer?) -> OpaquePointer? {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return attempt()
    }
}
