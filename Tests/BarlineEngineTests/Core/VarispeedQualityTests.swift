import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Tones that play at another rate than their own, of both qualities.
@Suite("Quality of varispeed")
struct VarispeedQualityTests {
    private static let frequency = 4_410.0
    private static let frames = 40_000

    private static func tone(_ rate: SampleRate) -> [Float] {
        (0..<3 * frames).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / rate.hertz)) }
    }

    /// How far what is heard is from the tone that begins with frame 0 and sounds `speed` times as high, below it, in dB.
    private static func error(_ heard: [Float], speed: Double = 1) -> Double {
        // Behind the fade of a sound that begins off zero.
        let errors = (4_000..<frames - 1_000).map { frame in
            Double(heard[frame]) - 0.5 * sin(2 * .pi * frequency * speed * Double(frame) / 48_000)
        }
        let power = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
        return 10 * log10(power / 0.125)
    }

    private static func check(_ error: Double, _ quality: VarispeedQuality) {
        #expect(error < (quality == .best ? -140 : -95), "\(quality): \(error) dB")
    }

    @Test(
        "Clips of another sample rate, and of another tempo", arguments: VarispeedQuality.allCases, [44_100.0, 96_000])
    func clips(quality: VarispeedQuality, hertz: Double) throws {
        let rate = try #require(SampleRate(hertz))
        let buffer = SampleBuffer(left: Self.tone(rate), sampleRate: rate)
        for tempo in [120.0, 111, 131] {
            let engine = Engine(
                EngineConfiguration(
                    tempo: Tempo(clamping: tempo), launchQuantization: .none, firstLaunch: .immediate,
                    varispeed: quality))
            let beats = Double(buffer.frameCount) / hertz * 2
            let clip = try engine.launcher.load(
                buffer, settings: ClipSettings(track: 0, beats: beats, loops: false, playback: .repitch))
            let recorder = Recorder(engine, frames: Self.frames)
            try engine.launcher.launch(clip, at: FrameTime.zero)
            recorder.render(Self.frames)
            Self.check(Self.error(Array(recorder.left()), speed: tempo / 120), quality)
        }
    }

    @Test(
        "Clips whose pitch is moved, at the tempo that goes with it", arguments: VarispeedQuality.allCases, [12.0, -12])
    func transposed(quality: VarispeedQuality, semitones: Double) throws {
        let buffer = SampleBuffer(left: Self.tone(.standard), sampleRate: .standard)
        let engine = Engine(
            EngineConfiguration(
                tempo: Tempo(clamping: 120 * exp2(semitones / 12)), launchQuantization: .none,
                firstLaunch: .immediate, varispeed: quality))
        let clip = try engine.launcher.load(
            buffer,
            settings: ClipSettings(
                track: 0, beats: 5, loops: false, playback: .stretch, transposition: semitones, onsets: []))
        let recorder = Recorder(engine, frames: Self.frames)
        try engine.launcher.launch(clip, at: FrameTime.zero)
        recorder.render(Self.frames)
        Self.check(Self.error(Array(recorder.left()), speed: exp2(semitones / 12)), quality)
    }

    @Test("Stems of another sample rate", arguments: VarispeedQuality.allCases, [44_100.0, 96_000])
    func stems(quality: VarispeedQuality, hertz: Double) throws {
        let rate = try #require(SampleRate(hertz))
        let source = SampleStem(left: Self.tone(rate), right: Self.tone(rate), sampleRate: rate)
        let stage = try StemStage([Stem(source)], frames: Self.frames, quality: quality)
        try stage.perform([(0, .play)], frames: Self.frames)
        Self.check(Self.error(Array(stage.recorder.left())), quality)
    }

    @Test("Playlist items of another sample rate", arguments: VarispeedQuality.allCases, [44_100.0, 96_000])
    func items(quality: VarispeedQuality, hertz: Double) throws {
        let rate = try #require(SampleRate(hertz))
        let item = PlaylistItem(id: PlaylistItemID(1), source: SampleItem(left: Self.tone(rate), sampleRate: rate))
        let stage = PlaylistStage([item], frames: Self.frames, quality: quality)
        stage.player.play()
        stage.render(to: Self.frames)
        Self.check(Self.error(stage.left), quality)
    }
}
