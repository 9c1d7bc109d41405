import BarlineDSP
import BarlineEngine
import BarlineTime

/// An item's audio in memory, given out in buffers of a length of its own.
final class SampleItem: PlaylistSource {
    let sampleRate: SampleRate
    let left: [Float]
    let right: [Float]
    let bufferFrames: Int
    /// The frame at which reading fails.
    let failsAt: Int?

    init(
        left: [Float], right: [Float]? = nil, sampleRate: SampleRate = .standard, bufferFrames: Int = 1_000,
        failsAt: Int? = nil
    ) {
        self.left = left
        self.right = right ?? left
        self.sampleRate = sampleRate
        self.bufferFrames = bufferFrames
        self.failsAt = failsAt
    }

    convenience init(noise seed: UInt64, frames: Int, sampleRate: SampleRate = .standard, bufferFrames: Int = 1_000) {
        var random = TestRandom(seed: seed)
        func samples() -> [Float] { (0..<frames).map { _ in Float(random.int(-8_192...8_192)) / 65_536 } }
        self.init(left: samples(), right: samples(), sampleRate: sampleRate, bufferFrames: bufferFrames)
    }

    var frameCount: Int64? { Int64(left.count) }

    func open() throws -> sending any PlaylistReader { Reader(self) }

    struct Broken: Error {}

    private final class Reader: PlaylistReader {
        private let item: SampleItem
        private var next = 0

        init(_ item: SampleItem) { self.item = item }

        var sampleRate: SampleRate { item.sampleRate }

        func seek(to frame: Int64) throws { next = Int(frame) }

        func nextBuffer() throws -> PlaylistBuffer? {
            if let failsAt = item.failsAt, next >= failsAt { throw Broken() }
            let last = min(next + item.bufferFrames, item.failsAt ?? .max, item.left.count)
            if next >= last { return nil }
            defer { next = last }
            return PlaylistBuffer(left: Array(item.left[next..<last]), right: Array(item.right[next..<last]))
        }
    }
}

extension PlaylistItem {
    /// An item of noise that nothing else is like.
    static func noise(_ id: Int, frames: Int, sampleRate: SampleRate = .standard) -> PlaylistItem {
        PlaylistItem(
            id: PlaylistItemID(id), source: SampleItem(noise: UInt64(id), frames: frames, sampleRate: sampleRate))
    }

    var samples: [Float] { (source as? SampleItem)?.left ?? [] }
}
