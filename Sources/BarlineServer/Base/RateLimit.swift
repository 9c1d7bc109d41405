import NIOCore

/// A token bucket: so many things a second, and bursts up to a number.
struct RateLimit {
    private let perSecond: Double
    private let capacity: Double
    private var level: Double
    private var time = NIODeadline.now()

    init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        capacity = burst
        level = burst
    }

    /// Takes a token; whether there was one.
    mutating func take() -> Bool {
        let now = NIODeadline.now()
        level = min(capacity, level + Double((now - time).nanoseconds) * 1e-9 * perSecond)
        time = now
        if level < 1 { return false }
        level -= 1
        return true
    }
}
