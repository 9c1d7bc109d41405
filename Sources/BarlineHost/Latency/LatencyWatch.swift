import BarlineSession

/// The measured latencies of the machine's devices, as the file has them now: `barline latency` may write it while a
/// session plays.
struct LatencyWatch {
    private let store: LatencyStore
    private var modified: Double?
    private var looked: Double
    private(set) var measured: [MeasuredLatency]

    /// How often the file is looked at, in seconds.
    private static let seconds = 1.0

    init(_ library: SessionLibrary) {
        store = LatencyStore(library)
        modified = store.modified
        measured = store.measured
        looked = LiveSession.now
    }

    /// Looks, at most once a second.
    ///
    /// - Returns: whether the file has changed.
    mutating func hasChanged() -> Bool {
        guard LiveSession.now - looked >= LatencyWatch.seconds else { return false }
        looked = LiveSession.now
        let found = store.modified
        if found == modified { return false }
        (modified, measured) = (found, store.measured)
        return true
    }
}
