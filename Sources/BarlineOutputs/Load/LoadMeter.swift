import CRealtime
import Synchronization

/// A meter of block durations: the audio thread adds to it, and any thread reads it at any time.
///
/// It is a histogram of loads in hundredths, and the sums of the times.
struct LoadMeter: ~Copyable, @unchecked Sendable {
    /// The number of blocks of each hundredth; the last one also counts all above ``OutputLoad/most``.
    private let counts: UnsafeMutablePointer<Atomic<Int64>>
    /// The total rendering time, and the total duration of the blocks, in nanoseconds.
    private let taken = Atomic<Int64>(0)
    private let given = Atomic<Int64>(0)

    private static var places: Int { @_noLocks get { 201 } }

    init() {
        counts = .allocate(capacity: LoadMeter.places)
        for place in 0..<LoadMeter.places { (counts + place).initialize(to: Atomic(0)) }
    }

    deinit {
        counts.deinitialize(count: LoadMeter.places)
        counts.deallocate()
    }

    /// Adds a block, with its rendering time and its duration (above 0) in nanoseconds.
    ///
    /// - Returns: its load.
    @_noLocks borrowing func add(taken: Int64, given: Int64) -> Double {
        let load = Double(taken) / Double(given)
        var place = LoadMeter.places - 1
        if load <= 2 { place = load <= 0 ? 0 : Int(rt_ceil(load * 100)) - 1 }
        if place < 0 { place = 0 }
        counts[place].wrappingAdd(1, ordering: .relaxed)
        self.taken.wrappingAdd(taken, ordering: .relaxed)
        self.given.wrappingAdd(given, ordering: .relaxed)
        return load
    }

    /// The counts until now.
    var counted: Counts {
        Counts(
            places: (0..<LoadMeter.places).map { counts[$0].load(ordering: .relaxed) },
            taken: taken.load(ordering: .relaxed), given: given.load(ordering: .relaxed))
    }

    /// The counts up to some moment.
    struct Counts: Sendable {
        fileprivate var places: [Int64]
        fileprivate var taken: Int64
        fileprivate var given: Int64

        /// The load since an earlier moment; `nil` if there was no block.
        func load(since earlier: Counts?) -> OutputLoad? {
            let new = places.indices.map { places[$0] - (earlier?.places[$0] ?? 0) }
            let count = new.reduce(0, +)
            let given = given - (earlier?.given ?? 0)
            guard count > 0, given > 0, let last = new.lastIndex(where: { $0 > 0 }) else { return nil }
            var left = count - count / 100
            let typical = new.firstIndex { places in
                left -= places
                return left <= 0
            }
            return OutputLoad(
                mean: Double(taken - (earlier?.taken ?? 0)) / Double(given), p99: Counts.edge(typical ?? last),
                max: Counts.edge(last))
        }

        private static func edge(_ place: Int) -> Double { min(OutputLoad.most, Double(place + 1) / 100) }
    }
}
