import BarlineEngine
import BarlineTime
import Foundation

/// A stem of which each sample follows from its frame, and each reading takes its time, as one from a slow disk does.
struct PacedStem: StemSource {
    /// The time that a reading takes, in seconds.
    let pause: Double
    let sampleRate = SampleRate.standard
    let frameCount: Int64 = 4_000_000
    let sample: @Sendable (Int64) -> Float

    func open() throws -> sending any StemReader { Reader(self) }

    private final class Reader: StemReader {
        private let stem: PacedStem
        private var next: Int64 = 0

        init(_ stem: PacedStem) { self.stem = stem }

        func seek(to frame: Int64) throws { next = frame }

        func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws -> Int {
            Thread.sleep(forTimeInterval: stem.pause)
            for index in 0..<count {
                left[index] = stem.sample(next + Int64(index))
                right[index] = left[index]
            }
            next += Int64(count)
            return count
        }
    }
}
