import BarlineDSP

/// The owner of an input's memory, on the control side.
final class PreparedInput: @unchecked Sendable {
    let ring: UnsafeMutablePointer<CaptureRing>
    let channels: Int
    private let storage: SampleStorage
    private static let leastFrames = 16_384

    /// Allocates at least `frames` frames, with all pages populated.
    init(frames: Int, channels: Int) {
        var capacity = PreparedInput.leastFrames
        while capacity < frames { capacity *= 2 }
        self.channels = channels
        storage = SampleStorage(silent: capacity, channels: channels)
        storage.populate(0..<capacity)
        ring = .allocate(capacity: 1)
        ring.initialize(to: CaptureRing(left: storage.left, right: storage.right, capacity: capacity))
    }

    deinit { ring.deallocate() }
}
