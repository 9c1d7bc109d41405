import BarlineTime
import NIOCore

extension TimeAmount {
    /// Creates a span of `seconds`, which need not be whole.
    init(seconds: Double) { self = .nanoseconds(HostTime.nanoseconds(seconds)) }
}
