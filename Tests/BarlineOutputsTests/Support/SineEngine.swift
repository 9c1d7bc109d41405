import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation

/// An engine that plays a sine of 480 Hz at 0.5 from its first frame on: every output frame tells its beat.
enum SineEngine {
    static let frequency = 480.0
    static let level = 0.5
    /// At 120 BPM and 48 kHz.
    static let framesPerBeat = 24_000.0

    /// Makes the engine; the loop of 4 beats has whole cycles.
    static func make(sampleRate: Double = 48_000, commandCapacity: Int = 256) throws -> Engine {
        let rate = SampleRate(sampleRate) ?? .standard
        let engine = Engine(
            EngineConfiguration(
                sampleRate: rate, trackCount: 2, clipCapacity: 4, voiceCount: 8, commandCapacity: commandCapacity,
                tempo: Tempo(clamping: 120), firstLaunch: .immediate))
        let samples = (0..<96_000).map { Float(level * sin(2 * .pi * frequency * Double($0) / 48_000)) }
        let clip = try engine.launcher.load(
            SampleBuffer(left: samples, sampleRate: .standard), settings: ClipSettings(track: TrackIndex(0), beats: 4))
        try engine.launcher.launch(clip, at: FrameTime.zero)
        return engine
    }

    /// What sounds `frame` frames of 48 kHz after beat 0.
    static func value(at frame: Double) -> Double { level * sin(2 * .pi * frequency * frame / 48_000) }

    /// The largest step that the sine itself makes from one frame to the next.
    static func step(sampleRate: Double = 48_000) -> Double { level * 2 * .pi * frequency / sampleRate }
}
