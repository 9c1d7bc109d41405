import BarlineEngine
import BarlineTime

/// A stem in memory.
final class SampleStem: StemSource {
    let sampleRate: SampleRate
    let left: [Float]
    let right: [Float]

    init(left: [Float], right: [Float], sampleRate: SampleRate = .standard) {
        self.left = left
        self.right = right
        self.sampleRate = sampleRate
    }

    /// Noise that is a multiple of 2⁻¹⁶, so that sums of a few are exact.
    convenience init(noise seed: UInt64, frames: Int) {
        var random = TestRandom(seed: seed)
        func samples() -> [Float] { (0..<frames).map { _ in Float(random.int(-8_192...8_192)) / 65_536 } }
        self.init(left: samples(), right: samples())
    }

    var frameCount: Int64 { Int64(left.count) }

    func open() throws -> any StemReader { Reader(self) }

    func sample(_ frame: Int) -> (left: Float, right: Float) {
        left.indices.contains(frame) ? (left[frame], right[frame]) : (0, 0)
    }

    private final class Reader: StemReader, @unchecked Sendable {
        private let stem: SampleStem
        private var next = 0

        init(_ stem: SampleStem) { self.stem = stem }

        func seek(to frame: Int64) throws { next = Int(frame) }

        func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws -> Int {
            let frames = max(0, min(count, stem.left.count - next))
            for index in 0..<frames {
                left[index] = stem.left[next + index]
                right[index] = stem.right[next + index]
            }
            next += frames
            return frames
        }
    }
}
