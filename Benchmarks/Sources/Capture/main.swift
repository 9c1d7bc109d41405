// What a callback of 64 frames takes while 16 inputs are recorded and 64 loops play: worst and median, by the time that
// the thread has run, beside the same loops with nothing recorded. Every run renders the same, so a block's time is the
// shortest of those that it took in the runs: what it takes by itself, without what the rest of the machine did to the
// caches.

import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation

let runs = ProcessInfo.processInfo.environment["BENCH_QUICK"] == nil ? 7 : 1
let blockFrames = 64
let blockCount = 7_500

/// Loops that play, each on a track of its own, and inputs that are recorded into slots of others.
final class Stage {
    private static let loops = 64
    private static let inputs = 16

    private let engine: Engine
    private let takes: [TakeHandle]
    private let samples: UnsafeMutablePointer<Float>
    private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let given: UnsafeMutablePointer<UnsafePointer<Float>?>

    /// - Parameter records: whether the inputs are recorded.
    /// - Throws: ``EngineError`` where there is no room.
    init(records: Bool) throws {
        let count = Stage.loops + Stage.inputs
        engine = Engine(
            EngineConfiguration(
                trackCount: count, clipCapacity: count, inputCapacity: Stage.inputs, launchQuantization: .none,
                firstLaunch: .immediate))
        let noise = (0..<96_000).map { Float(($0 * 7_919) % 1_000) / 2_000 - 0.25 }
        let buffer = SampleBuffer(left: noise, right: noise.reversed(), sampleRate: .standard)
        for track in 0..<Stage.loops {
            let clip = try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(track), beats: 4.1))
            try engine.launcher.launch(clip)
        }
        takes = try (0..<(records ? Stage.inputs : 0)).map { [engine] input in
            try engine.inputs.open(InputIndex(input), channels: 2)
            let clip = try engine.launcher.arm(
                TakeSettings(track: TrackIndex(Stage.loops + input), input: InputIndex(input)))
            try engine.launcher.launch(clip)
            guard let take = engine.launcher.take(of: clip) else { throw EngineError.noTake(clip) }
            return take
        }
        samples = .allocate(capacity: 3 * blockFrames)
        for frame in 0..<3 * blockFrames { (samples + frame).initialize(to: noise[frame]) }
        outputs = .allocate(capacity: 2)
        outputs.initialize(to: samples)
        (outputs + 1).initialize(to: samples + blockFrames)
        given = .allocate(capacity: 2 * Stage.inputs)
        given.initialize(repeating: UnsafePointer(samples + 2 * blockFrames), count: 2 * Stage.inputs)
    }

    deinit {
        samples.deallocate()
        outputs.deallocate()
        given.deallocate()
    }

    /// Microseconds that the thread ran for each block.
    func times() -> [Double] {
        var block = AudioBlock(outputs: UnsafePointer(outputs), outputCount: 2, frames: blockFrames)
        (block.inputs, block.inputCount) = (UnsafePointer(given), 2 * Stage.inputs)
        for _ in 0..<50 { engine.render(block) }
        return (0..<blockCount).map { number in
            // The control side has memory ready, beside the audio thread.
            if number % 100 == 0 { for take in takes { take.prepareMemory() } }
            let start = threadNanoseconds()
            engine.render(block)
            return Double(threadNanoseconds() - start) * 1e-3
        }
    }

    /// Takes that are under way.
    var recording: Int { takes.count { $0.isRecording } }
}

/// Nanoseconds that the calling thread has run.
func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}

print("                                 worst callback  median  worst / median")
for (name, records) in [("64 loops", false), ("64 loops, 16 inputs recorded", true)] {
    var shortest = [Double](repeating: .infinity, count: blockCount)
    for _ in 0..<runs {
        let stage = try Stage(records: records)
        shortest = zip(shortest, stage.times()).map(min)
        precondition(!records || stage.recording == 16, "all are recorded to the end")
    }
    shortest.sort()
    let (worst, median) = (shortest[blockCount - 1], shortest[blockCount / 2])
    let padded = name.padding(toLength: 32, withPad: " ", startingAt: 0)
    print(String(format: "%@ %8.0f us  %6.1f us  %.2f", padded, worst, median, worst / median))
}
