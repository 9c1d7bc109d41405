#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A value shared by control threads, one at a time. The audio thread never touches it.
///
/// One that is made with a check is asserted to pass it whenever a thread is done with it.
///
/// The lock is POSIX's rather than `Synchronization.Mutex`, whose operations ThreadSanitizer can't see on Linux.
final class ControlLock<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value
    private let isSound: (Value) -> Bool

    init(_ value: Value, where isSound: @escaping (Value) -> Bool = { _ in true }) {
        self.value = value
        self.isSound = isSound
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "a mutex can be made")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value.
    func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            assert(isSound(value), "what is shared agrees with itself")
            pthread_mutex_unlock(mutex)
        }
        return try body(&value)
    }
}
