import BarlineDSP
import BarlineTime
import Foundation
import Synchronization

@testable import BarlineEngine

/// A sound that is long enough to be streamed, in memory, and as a file that gives what it is allowed to.
final class LongSound: StemSource {
    /// 46 s at 48 kHz.
    static let frames = 2_200_000

    let sampleRate: SampleRate
    let left: [Float]
    let right: [Float]
    private let isOpen = Atomic<Bool>(true)
    /// The first frame that can't be read.
    private let end = Atomic<Int>(.max)

    /// Noise under a slow swell, of one channel or two; its beginning is nearly silent.
    init(_ seed: UInt64, channels: Int = 2, sampleRate: SampleRate = .standard) {
        self.sampleRate = sampleRate
        var random = TestRandom(seed: seed)
        func noise() -> [Float] {
            (0..<LongSound.frames).map { frame in
                let swell = min(1, Double(frame) / 3_000 + 0.00005) * (0.6 + 0.4 * sin(Double(frame) / 70_000))
                return Float(random.amplitude() * 0.5 * swell)
            }
        }
        let left = noise()
        self.left = left
        right = channels == 1 ? left : noise()
    }

    var frameCount: Int64 { Int64(left.count) }
    var channels: Int { left == right ? 1 : 2 }

    /// All of it in memory.
    var buffer: SampleBuffer {
        SampleBuffer(left: left, right: channels == 1 ? nil : right, sampleRate: sampleRate)
    }

    /// The same, played from the file.
    func window() -> ClipWindow {
        let peaks = stride(from: 0, to: left.count, by: ClipWindow.chunkFrames).map { first in
            (first..<min(first + ClipWindow.chunkFrames, left.count)).reduce(Float(0)) {
                max($0, abs(left[$1]), abs(right[$1]))
            }
        }
        return ClipWindow(self, frameCount: left.count, channels: channels, peaks: peaks)
    }

    /// Holds back what is read from now on, or lets it through.
    func hold(_ isHeld: Bool) { isOpen.store(!isHeld, ordering: .releasing) }

    /// Has reads from `frame` on fail.
    func cut(at frame: Int) { end.store(frame, ordering: .releasing) }

    func open() throws -> sending any StemReader { Reader(self) }

    private struct CutOff: Error {}

    private final class Reader: StemReader {
        private let sound: LongSound
        private var next = 0

        init(_ sound: LongSound) { self.sound = sound }

        func seek(to frame: Int64) throws { next = Int(frame) }

        func read(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws -> Int {
            while !sound.isOpen.load(ordering: .acquiring) { Thread.sleep(forTimeInterval: 0.001) }
            // Files give less than what is asked for.
            let frames = max(0, min(count, 5_000, sound.left.count - next))
            if next + frames > sound.end.load(ordering: .acquiring) { throw CutOff() }
            for index in 0..<frames {
                left[index] = sound.left[next + index]
                right[index] = sound.right[next + index]
            }
            next += frames
            return frames
        }
    }
}
