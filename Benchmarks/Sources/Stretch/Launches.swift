import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation

/// What many stretched clips cost in blocks of 64 frames: how much of a core, and how much more the worst block takes
/// than the mean one when all are launched on one frame.
struct Launches {
    /// The share of the time there is that the blocks take.
    let share: Double
    /// The dearest block beside the mean one.
    let worst: Double

    private static let blockFrames = 64
    private static let seconds = 4.0
    private static let blocksBefore = 100
    /// Each block's time is the least of as many runs of the same blocks: what else the machine does is not in it.
    private static let runs = isQuick ? 2 : 6

    /// Launches `count` clips at once and renders 4 s of them at `rate` of their tempo.
    init(count: Int, rate: Double) throws {
        let blocks = Int(Launches.seconds * 48_000) / Launches.blockFrames
        var least = [Double](repeating: .infinity, count: blocks)
        for _ in 0..<Launches.runs {
            for (block, time) in try Launches.times(count: count, rate: rate, blocks: blocks).enumerated() {
                least[block] = min(least[block], time)
            }
        }
        let mean = least.reduce(0, +) / Double(blocks)
        share = mean / (Double(Launches.blockFrames) / 48_000)
        worst = (least.max() ?? 0) / mean
    }

    /// The processor time of each block, in seconds.
    private static func times(count: Int, rate: Double, blocks: Int) throws -> [Double] {
        let engine = Engine(
            EngineConfiguration(
                trackCount: count, voiceCount: 2 * count, tempo: Tempo(clamping: 120 * rate), launchQuantization: .none,
                firstLaunch: .immediate))
        let clips = try (0..<count).map { track in
            try engine.launcher.load(
                SampleBuffer(left: loop, right: loop, sampleRate: .standard),
                settings: ClipSettings(track: TrackIndex(track), beats: 12, playback: .stretch, onsets: swung))
        }
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * blockFrames)
        memory.initialize(repeating: 0, count: 2 * blockFrames)
        let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 2)
        outputs.initialize(to: memory)
        (outputs + 1).initialize(to: memory + blockFrames)
        defer {
            memory.deallocate()
            outputs.deallocate()
        }
        func render() {
            engine.render(AudioBlock(outputs: UnsafePointer(outputs), outputCount: 2, frames: blockFrames))
        }
        // A program that plays has touched its memory before anything is launched.
        for _ in 0..<blocksBefore { render() }
        for clip in clips { try engine.launcher.launch(clip) }
        return (0..<blocks).map { _ in
            let start = threadTime()
            render()
            return threadTime() - start
        }
    }

    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
    }
}
