// How many stereo varispeed voices fit into half of one core at blocks of 64 frames. With a number, how much of a core
// so many take, in the build that it runs in: `swift run --package-path Benchmarks Voices 32` tells of a debug build.

import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation

let isQuick = ProcessInfo.processInfo.environment["BENCH_QUICK"] != nil
let blockFrames = 64
let blockSeconds = Double(blockFrames) / 48_000
let blockCount = isQuick ? 500 : 3_000

/// An engine on which `count` loops play at `rate`, and the buffers to render into.
final class Stage {
    private let engine: Engine
    private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let samples: UnsafeMutablePointer<Float>

    init(voices count: Int, rate: Double) throws {
        let loop = (0..<96_000).map { Float(($0 * 7_919) % 1_000) / 2_000 - 0.25 }
        let buffer = SampleBuffer(left: loop, right: loop.reversed(), sampleRate: .standard)
        engine = Engine(
            EngineConfiguration(
                trackCount: count, clipCapacity: count, voiceCount: 2 * count, commandCapacity: max(64, 4 * count),
                tempo: Tempo(clamping: 120 * rate), launchQuantization: .none))
        for track in 0..<count {
            let clip = try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(track), beats: 4))
            try engine.launcher.launch(clip)
        }
        samples = .allocate(capacity: 2 * blockFrames)
        samples.initialize(repeating: 0, count: 2 * blockFrames)
        outputs = .allocate(capacity: 2)
        outputs.initialize(to: samples)
        (outputs + 1).initialize(to: samples + blockFrames)
    }

    deinit {
        samples.deallocate()
        outputs.deallocate()
    }

    /// How much of a core playing takes, by the thread's own clock: the rest of the machine may be busy.
    func load(seconds: Double) -> Double {
        let block = AudioBlock(outputs: UnsafePointer(outputs), outputCount: 2, frames: blockFrames)
        for _ in 0..<50 { engine.render(block) }
        let start = threadNanoseconds()
        for _ in 0..<Int(seconds / blockSeconds) { engine.render(block) }
        return Double(threadNanoseconds() - start) * 1e-9 / seconds
    }

    /// The times that the thread ran for `blockCount` blocks, in seconds, shortest first.
    func times() -> [Double] {
        let block = AudioBlock(outputs: UnsafePointer(outputs), outputCount: 2, frames: blockFrames)
        for _ in 0..<50 { engine.render(block) }
        return (0..<blockCount).map { _ in
            let start = threadNanoseconds()
            engine.render(block)
            return Double(threadNanoseconds() - start) * 1e-9
        }.sorted()
    }
}

/// Nanoseconds that the calling thread has run.
func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}

if CommandLine.arguments.count > 1, let voices = Int(CommandLine.arguments[1]) {
    for rate in [0.9, 1.0, 1.1] {
        let load = try Stage(voices: voices, rate: rate).load(seconds: 2)
        print(String(format: "%d voices at rate %.1f take %.1f %% of a core", voices, rate, 100 * load))
    }
    exit(0)
}

print("rate  voices in half a core  99.9th percentile of a block's time at half as many")
for rate in [0.9, 1.0, 1.07, 1.1, 1.5, 2.0] {
    var fits = 1
    var tooMany = 16_384
    while tooMany - fits > max(4, fits / 50) {
        let middle = (fits + tooMany) / 2
        let median = try Stage(voices: middle, rate: rate).times()[blockCount / 2]
        if median < 0.5 * blockSeconds { fits = middle } else { tooMany = middle }
    }
    let half = try Stage(voices: max(1, fits / 2), rate: rate).times()
    let worst = half[Int(Double(blockCount) * 0.999)] / blockSeconds
    print(String(format: "%.2f  %-21d  %.0f %% of the block", rate, fits, 100 * worst))
}
