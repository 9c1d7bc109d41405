import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation

/// One track at 48 kHz and 120 BPM, and clips whose every sample is known in closed form: their file is a wave that
/// goes on on both sides of the region.
struct StartStage {
    static let level = 0.5
    /// Frames a beat.
    static let beat = 24_000

    /// What a clip's file has at a position from its region's first frame.
    struct Wave {
        let sample: (Double) -> Double
    }

    let engine: Engine

    init(voices: Int = 16) {
        engine = Engine(EngineConfiguration(trackCount: 2, voiceCount: voices))
    }

    /// 100 Hz, on a crest at the region's first frame.
    static func cosine(_ position: Double) -> Double { level * cos(2 * .pi * 100 * position / 48_000) }

    /// Loads a clip of one beat, or of other frames, with `before` frames of its file before it.
    func load(
        frames: Int = beat, before: Int = 0, track: Int = 0, of wave: Wave = Wave(sample: cosine),
        change: (inout ClipSettings) -> Void = { _ in }
    ) throws -> ClipHandle {
        let samples = (-before..<frames).map { Float(wave.sample(Double($0))) }
        var settings = ClipSettings(
            track: TrackIndex(track), region: before..<before + frames, beats: Double(frames) / Double(StartStage.beat))
        change(&settings)
        return try engine.launcher.load(SampleBuffer(left: samples, sampleRate: .standard), settings: settings)
    }

    func play(_ frames: Int, _ plan: BlockPlan = .fixed(512)) -> Recorder {
        let recorder = Recorder(engine, frames: frames, keepsTracks: true)
        recorder.render(frames, plan)
        return recorder
    }

    /// The first frame of `range` that is not as `expected` has it.
    static func fault(
        _ recorder: Recorder, _ range: Range<Int>, within tolerance: Double = 2e-5, _ expected: (Int) -> Double
    ) -> String? {
        for frame in range {
            let heard = Double(recorder.left()[frame])
            if abs(heard - expected(frame)) > tolerance { return "frame \(frame): \(heard), not \(expected(frame))" }
        }
        return nil
    }

    /// A straight line from 0 at `start` to 1 after `frames`.
    static func rise(_ frame: Int, from start: Int, over frames: Int) -> Double {
        min(1, max(0, Double(frame - start) / Double(frames)))
    }

    static func largestStep(_ recorder: Recorder, _ range: Range<Int>) -> Double {
        range.dropFirst().reduce(0) { max($0, abs(Double(recorder.left()[$1]) - Double(recorder.left()[$1 - 1]))) }
    }

    static func starts(_ recorder: Recorder) -> [Int] {
        recorder.events.compactMap { event in
            if case .launcher(.started) = event.kind { return Int(event.frame.rawValue) }
            return nil
        }
    }
}
