import BarlineDSP
import BarlineTime
import Foundation

/// Sounds to read, and readings of them.
enum TestSound {
    static func noise(_ frames: Int, seed: UInt64) -> [Float] {
        var random = TestRandom(seed: seed)
        return (0..<frames).map { _ in Float.random(in: -0.5...0.5, using: &random) }
    }

    static func sine(_ frequency: Double, frames: Int, phase: Double = 0) -> [Float] {
        (0..<frames).map { Float(sin(2 * .pi * (frequency * Double($0) + phase))) }
    }

    /// A region of `buffer` without a seam.
    static func region(_ buffer: SampleBuffer, _ frames: Range<Int>? = nil, loops: Bool) -> SourceRegion {
        let frames = frames ?? 0..<buffer.frameCount
        return SourceRegion(
            left: buffer.left + frames.lowerBound, right: buffer.right + frames.lowerBound, length: frames.count,
            framesBefore: frames.lowerBound, framesAfter: buffer.frameCount - frames.upperBound, loops: loops,
            seamLeft: buffer.left, seamRight: buffer.right, seamLength: 0)
    }

    /// `count` frames of `region` from `start` on at `rate`, read in pieces of `piece` frames.
    static func read(
        _ region: SourceRegion, from start: Double, rate: Double, count: Int, piece: Int = .max,
        quality: VarispeedQuality = .live
    ) -> (left: [Float], right: [Float]) {
        let reader = VarispeedReader(quality: quality)
        let filter = reader.filter(rate: rate)
        let step = SourcePosition(rate)
        var left = [Float](repeating: .nan, count: count)
        var right = left
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
                guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return }
                var done = 0
                while done < count {
                    let frames = min(piece, count - done)
                    reader.read(
                        region, from: SourcePosition(start).advanced(by: step, times: Int64(done)), step: step,
                        filter: filter, count: frames, left: leftBase + done, right: rightBase + done)
                    done += frames
                }
            }
        }
        return (left, right)
    }

    /// A level in dB.
    static func decibels(_ samples: some Sequence<Double>) -> Double {
        var sum = 0.0
        var count = 0.0
        for sample in samples {
            sum += sample * sample
            count += 1
        }
        return 10 * log10(sum / count + 1e-30)
    }
}
