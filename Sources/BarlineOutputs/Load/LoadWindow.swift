import CRealtime

/// The load of a device over the last seconds, sampled periodically by one thread.
struct LoadWindow {
    /// The length of the window and the sampling interval, in seconds.
    static let seconds = 10
    private static let step: Int64 = 1_000_000_000

    /// The load over the window, if known.
    private(set) var load: OutputLoad?
    /// The counts at each of the samples within the window, `nil` for none yet.
    private var earlier: [LoadMeter.Counts?] = [nil]
    private var next: Int64 = 0

    /// Takes a sample, if it is time to.
    mutating func look(_ meter: borrowing LoadMeter, at now: Int64 = rt_monotonic_nanoseconds()) {
        if now < next { return }
        next = now + LoadWindow.step
        let counts = meter.counted
        load = counts.load(since: earlier[0])
        if earlier.count == LoadWindow.seconds { earlier.removeFirst() }
        earlier.append(counts)
    }
}
