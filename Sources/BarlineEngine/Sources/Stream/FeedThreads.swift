import BarlineTime
import Foundation
import Synchronization

/// The threads that read ahead for a streaming player.
///
/// They continue as long as there is something to read, retry a little later if there was nothing, and rarely while the
/// engine is idle: ``wake()`` ends every wait.
final class FeedThreads: Sendable {
    /// The outcome of a thread's round.
    enum Outcome {
        /// It did some work, and looks for more at once.
        case worked
        /// There was nothing to do.
        case idle
        /// There will be nothing to do until a request.
        case atRest
        /// What it serves is gone: the thread ends.
        case over
    }

    private let work = DispatchSemaphore(value: 0)
    private let count = Atomic<Int>(0)
    private let isEnding = Atomic<Bool>(false)

    /// The pause of a thread that had nothing to read, in milliseconds.
    private static let idleMilliseconds = 4
    /// The same while the engine is idle, for changes not signalled by ``wake()``.
    private static let restMilliseconds = 250

    /// Starts `count` threads called `name`. While they wait they don't keep alive what `round` refers to.
    func start(_ count: Int, name: String, _ round: @escaping @Sendable () -> Outcome) {
        self.count.wrappingAdd(count, ordering: .relaxed)
        for _ in 0..<count {
            NamedThread.start(name) { [self] in
                while !isEnding.load(ordering: .acquiring) {
                    switch round() {
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

    /// Has all threads look for work at once.
    func wake() { for _ in 0..<count.load(ordering: .relaxed) { work.signal() } }

    /// Tells the threads to end.
    func end() {
        isEnding.store(true, ordering: .releasing)
        wake()
    }
}
