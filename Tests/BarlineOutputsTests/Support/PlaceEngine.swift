import BarlineDSP
import BarlineEngine
import BarlineTime

/// An engine whose every sample tells its place: a loop of 2 s that rises from 0 to 0.9.
enum PlaceEngine {
    static let length = 96_000
    static let level: Float = 0.9

    /// Makes the engine, which plays from its first frame on.
    static func make() throws -> Engine {
        let engine = Engine(EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: 120), firstLaunch: .immediate))
        let samples = (0..<length).map { level * Float($0) / Float(length) }
        let clip = try engine.launcher.load(
            SampleBuffer(left: samples, sampleRate: .standard), settings: ClipSettings(track: TrackIndex(0), beats: 4))
        try engine.launcher.launch(clip, at: FrameTime.zero)
        return engine
    }

    /// The place of a sample, in frames of 48 kHz.
    static func place(_ sample: Float) -> Double { Double(sample) * Double(length) / Double(level) }

    /// The frames of `samples` that don't follow the one before at `rate`, the seam and its fade left out.
    static func breaks(in samples: [Float], rate: Double = 1) -> Int {
        var count = 0
        for index in 1..<max(1, samples.count) {
            let before = place(samples[index - 1])
            // The seam's fade and the interpolator's reach round it.
            if before < 500 || before > Double(length) - 500 { continue }
            if abs(place(samples[index]) - before - rate) > 0.05 { count += 1 }
        }
        return count
    }
}
