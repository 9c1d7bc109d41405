import BarlineTime
import Foundation
import Synchronization

/// The threads that read ahead for something that streams.
///
/// They go on as long as there is something to read, look a little later where there was nothing, and seldom while the
/// engine is at rest: ``wake()`` ends every wait.
final class FeedThreads: Sendable {
    /// A thread's next piece of work.
    enum Turn {
        /// Something: it looks again at once.
        case worked
        /// Nothing for now.
        case idle
        /// Nothing until something is asked for.
        case atRest
        /// Nothing ever: what it serves is gone.
        case over
    }

    private let work = DispatchSemaphore(value: 0)
    private let count = Atomic<Int>(0)
    private let isEnding = Atomic<Bool>(false)

    /// How long a thread waits where there was nothing to read, in milliseconds.
    private static let idleMilliseconds = 4
    /// The same while nothing plays, for what was not asked for by ``wake()``.
    private static let restMilliseconds = 250

    /// Starts `count` threads called `name`. None of them keeps alive what `turn` looks at while it waits.
    func start(_ count: Int, name: String, _ turn: @escaping @Sendable () -> Turn) {
        self.count.wrappingAdd(count, ordering: .relaxed)
        for _ in 0..<count {
            NamedThread.start(name) { [self] in
                while !isEnding.load(ordering: .acquiring) {
                    switch turn() {
                    case .worked: break
                    case .idle: pause(FeedThreads.idleMilliseconds)
                    case .atRest: pause(FeedThreads.restMilliseconds)
                    case .over: return
                    }
                }
            }
        }
    }

    private func pause(_ milliseconds: Int) { _ = work.wait(timeout: .now() + .milliseconds(milliseconds)) }

    /// Lets all threads look at once.
    func wake() { for _ in 0..<count.load(ordering: .relaxed) { work.signal() } }

    /// Lets the threads end.
    func end() {
        isEnding.store(true, ordering: .releasing)
        wake()
    }
}
