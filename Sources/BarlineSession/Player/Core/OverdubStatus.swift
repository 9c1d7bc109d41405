import BarlineTime

/// The status of an overdub of a clip, for displays.
package struct OverdubStatus: Hashable, Sendable {
    /// The frame at which it began; `nil` as long as it waits for its boundary.
    package var since: FrameTime?
    /// The input's name; `nil` where it is not known.
    package var input: String?

    /// An overdub that waits for its boundary, or has begun.
    init(since: FrameTime? = nil, input: String? = nil) {
        self.since = since
        self.input = input
    }
}
