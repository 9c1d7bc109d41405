// The varispeed interpolator beside libsamplerate and soxr: time for a stereo frame, and how true it is.

import Foundation

let isQuick = ProcessInfo.processInfo.environment["BENCH_QUICK"] != nil
let frames = isQuick ? 48_000 : 480_000
func noise(seed: UInt64) -> [Float] {
    var seed = seed
    return (0..<frames).map { _ in
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int64(bitPattern: seed) >> 40) / Float(1 << 24)
    }
}
let sound = Sound(left: noise(seed: 1), right: noise(seed: 2))
let capacity = 2 * frames + 64
let output = UnsafeMutablePointer<Float>.allocate(capacity: 2 * capacity)
output.initialize(repeating: 0, count: 2 * capacity)

/// Nanoseconds that the calling thread has run: the rest of the machine may be busy.
func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}

func column(_ text: String, _ width: Int) -> String { text.padding(toLength: width, withPad: " ", startingAt: 0) }

print("rate  resampler              ns/frame  of \(Resampler.peer)  noise dB  alias dB  at 0.9 Nyquist dB")
for rate in [0.5, 0.9, 0.93, 1.0, 1.07, 1.1, 1.5, 2.0] {
    var times = [[Double]](repeating: [], count: Resampler.all.count)
    // Interleaved, so that a change of the machine's speed meets all alike.
    for _ in 0..<(isQuick ? 3 : 7) {
        for (index, resampler) in Resampler.all.enumerated() {
            let start = threadNanoseconds()
            let count = resampler.read(sound, rate, output, capacity)
            times[index].append(Double(threadNanoseconds() - start) / Double(count))
        }
    }
    let medians: [Double] = times.map { $0.sorted()[$0.count / 2] }
    let peer = medians[Resampler.all.firstIndex { $0.name == Resampler.peer } ?? 0]
    for (resampler, median) in zip(Resampler.all, medians) {
        let quality = Quality(of: resampler, rate: rate)
        let alias = quality.alias.map { String(format: "%.0f", $0) } ?? "–"
        print(
            column(String(format: "%.3f", rate), 6) + column(resampler.name, 23)
                + column(String(format: "%.1f", median), 10) + column(String(format: "%.2f", median / peer), 25)
                + column(String(format: "%.0f", quality.worstNoise), 10) + column(alias, 10)
                + String(format: "%.2f", quality.edge))
    }
}
