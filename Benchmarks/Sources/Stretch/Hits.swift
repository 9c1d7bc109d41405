import Foundation

/// Whether few turns and few runs are enough.
let isQuick = ProcessInfo.processInfo.environment["BENCH_QUICK"] != nil

/// The frames of the hits of a loop of twelve beats at 120 BPM: every second one is late.
let swung = (0..<24).map { $0 * 12_000 + ($0 % 2 == 1 ? 2_000 : 0) }
/// The loop's length.
let loopFrames = 24 * 12_000

/// Hits of noise and of a falling tone, one after the other.
let loop: [Float] = {
    var samples = [Float](repeating: 0, count: loopFrames)
    for (number, hit) in swung.enumerated() {
        var state = UInt32(truncatingIfNeeded: number &* 2_654_435_761 &+ 12_345)
        for index in 0..<9_000 {
            state = state &* 1_664_525 &+ 1_013_904_223
            let noise = Double(state) / Double(UInt32.max) - 0.5
            let tone = sin(2 * .pi * Double(index) * (0.002 + 0.001 * Double(number % 3)))
            let level = exp(-Double(index) / (number % 2 == 0 ? 1_200 : 500))
            samples[hit + index] += Float(0.5 * level * (noise + (number % 2 == 0 ? tone : 0)))
        }
    }
    return samples
}()
