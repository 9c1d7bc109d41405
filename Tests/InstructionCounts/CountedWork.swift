import BarlineDSP
import BarlineEngine
import BarlineTime
import CKernels

// What `scripts/check-instructions` counts the instructions of: the inner loops, and a render that uses them all.
// Nothing here depends on time, on the machine's load or on an address, so that each run takes as many as the one
// before.
//
// Callgrind tells functions apart by their names in the program. They are not optimised, so that none is put into
// another; what they call is.

/// Sound, an engine that plays it and memory to render to.
final class CountedWork {
    let sound = SampleBuffer(
        left: CountedWork.noise(8_192, seed: 1), right: CountedWork.noise(8_192, seed: 2), sampleRate: .standard)
    let reader = VarispeedReader()
    let midpoints: Midpoints
    let left = UnsafeMutablePointer<Float>.allocate(capacity: 8_192)
    let right = UnsafeMutablePointer<Float>.allocate(capacity: 8_192)
    let engine = Engine(
        EngineConfiguration(
            trackCount: 16, launchQuantization: .none, firstLaunch: .immediate,
            metronome: MetronomeSettings(isEnabled: true), limiter: LimiterSettings()))

    init() throws {
        midpoints = Midpoints(of: sound, frames: 1_024..<7_024)
        left.initialize(repeating: 0, count: 8_192)
        right.initialize(repeating: 0, count: 8_192)
        for track in 0..<16 {
            let beats = 8_192 / 24_000 / [0.93, 1, 1.07, 1.5][track % 4]
            let clip = try engine.launcher.load(
                sound, settings: ClipSettings(track: TrackIndex(track), beats: beats, gain: -12))
            try engine.launcher.launch(clip)
        }
        render(blocks: 10)
    }

    private static func noise(_ count: Int, seed: UInt64) -> [Float] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state >> 32)) * 0x1p-32
        }
    }

    /// Reads 4,096 frames at a rate.
    func read(rate: Double, withMidpoints: Bool = false) {
        var region = SourceRegion(left: sound.left + 1_024, right: sound.right + 1_024, length: 6_000)
        if withMidpoints { region.midpoints = midpoints }
        reader.read(
            region, from: SourcePosition(rate == 1 ? 0 : 0.25), step: SourcePosition(rate),
            filter: reader.steadyFilter(rate: rate),
            count: 4_096, left: left, right: right)
    }

    /// Renders blocks of 64 frames: sixteen loops at four rates, a metronome, meters, a limiter.
    func render(blocks: Int) {
        withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>?.self, capacity: 2) { outputs in
            outputs[0] = left
            outputs[1] = right
            guard let outputs = outputs.baseAddress else { return }
            for _ in 0..<blocks {
                engine.render(AudioBlock(outputs: UnsafePointer(outputs), outputCount: 2, frames: 64))
            }
        }
    }

    func mix() {
        for _ in 0..<64 {
            dsp_scale(left, 0.9, 512)
            dsp_add(sound.left, left, 512)
            dsp_add_scaled(sound.right, 0.5, left, 512)
            dsp_scale_along(left, dsp_line(origin: 0, target: 1, elapsed: 0, frames: 512), 512)
        }
    }

    func measure() {
        var meter = Meter()
        let ballistics = MeterBallistics(frames: 512, sampleRate: .standard)
        for _ in 0..<64 { meter.update(left: sound.left, right: sound.right, ballistics) }
    }

    func split() { for _ in 0..<16 { _ = dsp_split(sound.left, left, right, 2_048) } }
}

// Made before anything is counted, and used by one thread.
nonisolated(unsafe) private var prepared: CountedWork?

@_optimize(none) @_silgen_name("counted_varispeed_below_1") func countVarispeedBelow() { prepared?.read(rate: 0.93) }
@_optimize(none) @_silgen_name("counted_varispeed_midpoints")
func countVarispeedMidpoints() { prepared?.read(rate: 0.93, withMidpoints: true) }
@_optimize(none) @_silgen_name("counted_varispeed_at_1") func countVarispeedUnity() { prepared?.read(rate: 1) }
@_optimize(none) @_silgen_name("counted_varispeed_above_1") func countVarispeedAbove() { prepared?.read(rate: 1.07) }
@_optimize(none) @_silgen_name("counted_mix") func countMix() { prepared?.mix() }
@_optimize(none) @_silgen_name("counted_meter") func countMeter() { prepared?.measure() }
@_optimize(none) @_silgen_name("counted_split") func countSplit() { prepared?.split() }
/// A tenth of a second.
@_optimize(none) @_silgen_name("counted_render") func countRender() { prepared?.render(blocks: 75) }

@main
enum InstructionCounts {
    static func main() throws {
        prepared = try CountedWork()
        countVarispeedBelow()
        countVarispeedMidpoints()
        countVarispeedUnity()
        countVarispeedAbove()
        countMix()
        countMeter()
        countSplit()
        countRender()
    }
}
