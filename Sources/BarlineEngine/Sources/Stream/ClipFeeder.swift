import CRealtime

/// Reads ahead for clips that are streamed, on threads shared by all engines.
final class ClipFeeder: Sendable {
    static let shared = ClipFeeder()

    /// The number of threads.
    private static let threadCount = 2
    /// After so long it is looked anew for what is most urgent.
    private static let roundNanoseconds: Int64 = 1_000_000
    private let threads = FeedThreads()
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
        let streams = state.withLock { $0.streams.values.compactMap(\.stream) }
        var needs: [(stream: PreparedStream, chunk: Int, lead: Int64)] = []
        for stream in streams where !stream.window.isBusy {
            if let need = stream.mostUrgent { needs.append((stream, need.chunk, need.lead)) }
        }
        needs.sort { $0.lead < $1.lead }
        var hasWorked = false
        let end = rt_monotonic_nanoseconds() + ClipFeeder.roundNanoseconds
        for need in needs {
            if need.stream.window.load(need.chunk) { hasWorked = true }
            if hasWorked, rt_monotonic_nanoseconds() > end { break }
        }
        if hasWorked { return .worked }
        for stream in streams { stream.window.clean() }
        return streams.allSatisfy(\.isAtRest) ? .atRest : .idle
    }
}
