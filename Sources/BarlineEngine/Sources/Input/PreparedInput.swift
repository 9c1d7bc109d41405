import BarlineDSP
import BarlineTime

/// The owner of an input's memory, on the control side.
final class PreparedInput: @unchecked Sendable {
    let ring: UnsafeMutablePointer<CaptureRing>
    let channels: Int
    /// The length of audio that was asked for, in seconds.
    let seconds: Double
    /// The frame at which it was opened: there is nothing from before.
    let beginning: FrameTime
    private let storage: SampleStorage
    private static let leastFrames = 16_384

    /// Allocates at least `frames` frames, which are `seconds` seconds, with all pages populated.
    init(frames: Int, seconds: Double, channels: Int, from beginning: FrameTime) {
        var capacity = PreparedInput.leastFrames
        while capacity < frames { capacity *= 2 }
        self.channels = channels
        self.seconds = seconds
        self.beginning = beginning
        storage = SampleStorage(silent: capacity, channels: channels)
        storage.populate(0..<capacity)
        ring = .allocate(capacity: 1)
        ring.initialize(to: CaptureRing(left: storage.left, right: storage.right, capacity: capacity))
    }

    deinit { ring.deallocate() }
}
