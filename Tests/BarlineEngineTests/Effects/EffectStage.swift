import BarlineDSP
import BarlineTime
import Foundation

@testable import BarlineEngine

/// An engine whose first track plays one sound for as long as it is rendered.
struct EffectStage {
    static let track = InsertPoint.channel(.track(TrackIndex(0)))
    let engine: Engine

    /// `sound` gives the samples of a loop of `seconds`, by time.
    init(rate: Double = 48_000, seconds: Double = 4, sound: (Double) -> Double) throws {
        let sampleRate = SampleRate(unchecked: rate)
        engine = Engine(
            EngineConfiguration(
                sampleRate: sampleRate, trackCount: 2, busCount: 2, launchQuantization: .none,
                firstLaunch: .immediate))
        let count = Int(seconds * rate)
        let buffer = SampleBuffer(
            left: (0..<count).map { Float(sound(Double($0) / rate)) },
            right: (0..<count).map { Float(0.5 * sound(Double($0) / rate)) }, sampleRate: sampleRate)
        let clip = try engine.launcher.load(
            buffer, settings: ClipSettings(track: TrackIndex(0), beats: nil, loops: false, fadeIn: 0))
        try engine.launcher.launch(clip, at: FrameTime.zero)
    }

    /// A tone of 100 Hz.
    static func tone(rate: Double = 48_000) throws -> EffectStage {
        try EffectStage(rate: rate) { 0.5 * sin(2 * .pi * 100 * $0) }
    }

    static func filter(
        cutoff: Double = 1_000, resonance: Double = 0.707, mode: FilterMode = .lowpass, isBypassed: Bool = false
    ) -> EffectSettings {
        var settings = EffectSettings(.filter)
        settings["cutoff"] = cutoff
        settings["resonance"] = resonance
        settings["mode"] = Double(mode.rawValue)
        settings.isBypassed = isBypassed
        return settings
    }

    /// The left of what the main bus plays over `frames` frames.
    func left(_ frames: Int) -> [Float] {
        let recorder = played(frames)
        return withExtendedLifetime(recorder) { Array(recorder.left()) }
    }

    /// What is played over `frames` frames.
    func played(_ frames: Int, _ plan: BlockPlan = .fixed(512)) -> Recorder {
        let recorder = Recorder(engine, frames: frames)
        recorder.render(frames, plan)
        return recorder
    }
}
