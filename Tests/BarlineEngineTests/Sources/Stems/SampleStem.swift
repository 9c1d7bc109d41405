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

    func open() throws -> sending any StemReader { Reader(self) }

    func sample(_ frame: Int) -> (left: Float, right: Float) {
        left.indices.contains(frame) ? (left[frame], right[frame]) : (0, 0)
    }

    /// The sample at `frame`, as a stem is heard that has nothing before `first`: where that frame is above −60 dB of
    /// the peak around it, it comes in over half a millisecond.
    func heard(_ frame: Int, from first: Int = 0) -> (left: Double, right: Double) {
        let (left, right) = sample(frame)
        let rise = (sampleRate.hertz * 0.0005).rounded(.up)
        if Double(frame - first) >= rise { return (Double(left), Double(right)) }
        let start = sample(first)
        let peak = (first..<min(first + 4_000, self.left.count)).reduce(Float(0)) { peak, index in
            max(peak, abs(self.left[index]), abs(self.right[index]))
        }
        let isLoud = max(abs(start.left), abs(start.right)) > peak / 1_000
        let level = isLoud ? min(1, max(0, Double(frame - first) / rise)) : 1
        return (Double(left) * level, Double(right) * level)
    }

    private final class Reader: StemReader {
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
