import CRealtime

/// The load of a device over the last seconds, looked at now and then by one thread.
struct LoadWindow {
    /// How long it reaches back, and how often it is looked at, in seconds.
    static let seconds = 10
    private static let step: Int64 = 1_000_000_000

    /// What is known of it.
    private(set) var load: OutputLoad?
    /// What was counted at each of the looks that it reaches back to, `nil` for nothing yet.
    private var earlier: [LoadMeter.Counts?] = [nil]
    private var next: Int64 = 0

    /// Looks, where it is time to.
    mutating func look(_ meter: borrowing LoadMeter, at now: Int64 = rt_monotonic_nanoseconds()) {
        if now < next { return }
        next = now + LoadWindow.step
        let counts = meter.counted
        load = counts.load(since: earlier[0])
        if earlier.count == LoadWindow.seconds { earlier.removeFirst() }
        earlier.append(counts)
    }
}
