import Foundation

/// The monotonic clock.
enum MonotonicClock {
    /// The time in seconds.
    static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) * 1e-9 }
}
