import CRealtime
import Synchronization

/// Reads ahead for clips that are streamed, on threads shared by all engines.
final class ClipFeeder: Sendable {
    static let shared = ClipFeeder()

    /// What the first thread does: nothing, or it looks for work; anything else is when it began to read, in nanoseconds.
    private static let pausing: Int64 = -2
    private static let looking: Int64 = -1
    /// The number of threads.
    private static let threadCount = 2
    /// After so long it is looked anew for what is most urgent.
    private static let roundNanoseconds: Int64 = 1_000_000
    /// With fewer frames ahead than that, what is needed is urgent: beside one thread others read that only. They would
    /// interrupt each other, and who plays, for every range of pages, and no disk is faster for them.
    private static let urgentFrames = ClipStream.chunkFrames
    /// After so long in one file a thread waits for its disk, and another one reads everything.
    private static let stallNanoseconds: Int64 = 5_000_000
    private let threads = FeedThreads()
    /// What the first of the threads that are in a round does.
    private let first = Atomic<Int64>(ClipFeeder.pausing)
    private let state = ControlLock(State()) { $0.checkInvariants() }

    private struct State {
        var streams: [ObjectIdentifier: Weak] = [:]
        var isRunning = false

        /// Whether threads run for whoever is served.
        func checkInvariants() -> Bool { isRunning || streams.isEmpty }
    }

    private struct Weak {
        weak var stream: PreparedStream?
    }

    /// Serves a clip from now on.
    func add(_ stream: PreparedStream) {
        let isFirst = state.withLock { state in
            state.streams[ObjectIdentifier(stream)] = Weak(stream: stream)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isFirst {
            threads.start(ClipFeeder.threadCount, name: "barline-clips") { [self] in runRound() }
        }
    }

    func remove(_ stream: PreparedStream) {
        state.withLock { $0.streams[ObjectIdentifier(stream)] = nil }
    }

    /// Has the threads look for work at once.
    func wake() { threads.wake() }

    private func runRound() -> FeedThreads.Outcome {
        if first.compareExchange(
            expected: ClipFeeder.pausing, desired: ClipFeeder.looking, ordering: .acquiringAndReleasing
        ).exchanged {
            defer { first.store(ClipFeeder.pausing, ordering: .releasing) }
            return runRound(isAlone: true) { self.first.store($0, ordering: .relaxed) }
        }
        let began = first.load(ordering: .relaxed)
        let isStalled = began > 0 && rt_monotonic_nanoseconds() - began > ClipFeeder.stallNanoseconds
        return runRound(isAlone: isStalled) { _ in }
    }

    /// Looks once for what is needed, and reads some of it: what is urgent, or, alone, anything. `note` is told when it
    /// reads a piece, and when it looks again.
    private func runRound(isAlone: Bool, note: (Int64) -> Void) -> FeedThreads.Outcome {
        let streams = state.withLock { $0.streams.values.compactMap(\.stream) }
        var needs: [(stream: PreparedStream, chunk: Int, lead: Int64)] = []
        for stream in streams where !stream.window.isBusy {
            guard let need = stream.mostUrgent, isAlone || need.lead < ClipFeeder.urgentFrames else { continue }
            needs.append((stream, need.chunk, need.lead))
        }
        needs.sort { $0.lead < $1.lead }
        var hasWorked = false
        let end = rt_monotonic_nanoseconds() + ClipFeeder.roundNanoseconds
        for need in needs {
            note(rt_monotonic_nanoseconds())
            if need.stream.window.load(need.chunk) { hasWorked = true }
            if hasWorked, rt_monotonic_nanoseconds() > end { break }
        }
        note(ClipFeeder.looking)
        if hasWorked { return .worked }
        if !isAlone { return .idle }
        for stream in streams { stream.window.clean() }
        return streams.allSatisfy(\.isAtRest) ? .atRest : .idle
    }
}
