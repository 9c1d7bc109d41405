import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// Fades are straight lines of 5 ms, frame by frame; a start at once on a loud first frame takes half a millisecond.
@Suite("Fades")
struct FadeTests {
    private func constant(_ rate: Double, _ quantization: Quantization = .none) throws -> (Engine, ClipHandle) {
        let rate = try #require(SampleRate(rate))
        let engine = Engine(
            EngineConfiguration(
                sampleRate: rate, trackCount: 1, launchQuantization: quantization, firstLaunch: .immediate))
        let buffer = SampleBuffer(left: [Float](repeating: 1, count: 4_410), sampleRate: rate)
        return (engine, try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(0), beats: nil)))
    }

    // 5 ms at 44.1 kHz are 220.5 frames; halves round up.
    @Test("A stop fades over 5 ms", arguments: [(44_100.0, 221), (48_000, 240), (96_000, 480)])
    func fadeOut(rate: Double, frames: Int) throws {
        let (engine, clip) = try constant(rate)
        try engine.launcher.launch(clip, at: FrameTime.zero)
        try engine.launcher.stopNow(TrackIndex(0), at: FrameTime(1_000))
        let recorder = Recorder(engine, frames: 2_000)
        recorder.render(2_000, .fixed(97))
        let rise = Float((rate * 0.0005).rounded(.up))
        for frame in 0..<2_000 {
            let expected = min(1, Float(frame) / rise) - Float(min(frames, max(0, frame - 1_000))) / Float(frames)
            #expect(abs(recorder.left()[frame] - expected) < 1e-6)
        }
        #expect(recorder.left()[1_000 + frames - 1] > 0)
        #expect(recorder.left()[1_000 + frames] == 0)
    }

    @Test(
        "A start just past its boundary fades in over 5 ms", arguments: [(44_100.0, 221), (48_000, 240), (96_000, 480)])
    func fadeIn(rate: Double, frames: Int) throws {
        let (engine, clip) = try constant(rate, .bars(1))
        try engine.transport.start(at: FrameTime.zero)
        try engine.launcher.launch(clip, at: FrameTime(100))
        let recorder = Recorder(engine, frames: 2_000)
        recorder.render(2_000, .fixed(97))
        for frame in 0..<2_000 {
            let expected = Float(min(frames, max(0, frame - 100))) / Float(frames)
            #expect(abs(recorder.left()[frame] - expected) < 1e-6)
        }
    }

    @Test("A start on its boundary is whole from the first sample on, and comes in over the 5 ms before")
    func noFadeOnTime() throws {
        var random = TestRandom(seed: 4)
        let samples = (0..<24_000).map { _ in Float(random.double(-1...1)) }
        let engine = Engine(EngineConfiguration(trackCount: 1))
        let buffer = SampleBuffer(left: samples, sampleRate: .standard)
        let clip = try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(0), beats: 1))
        try engine.launcher.launch(clip, at: FrameTime(5))
        let recorder = Recorder(engine, frames: 120_000)
        recorder.render(120_000, .fixed(333))
        #expect((0..<95_765).allSatisfy { recorder.left()[$0] == 0 })
        // The loop's ends don't meet: what leads up to its first frame is its seam.
        #expect((95_766..<96_005).contains { recorder.left()[$0] != 0 })
        #expect((0..<23_000).allSatisfy { recorder.left()[96_005 + $0] == samples[$0] })
    }

    @Test("Every move of the mixer takes 5 ms")
    func mixerRamps() throws {
        let (engine, clip) = try constant(48_000)
        try engine.launcher.launch(clip, at: FrameTime.zero)
        try engine.mixer[.track(TrackIndex(0))].setMute(true, at: FrameTime(1_000))
        try engine.mixer[.track(TrackIndex(0))].setMute(false, at: FrameTime(2_000))
        try engine.mixer[.track(TrackIndex(0))].setPan(-1, at: FrameTime(3_000))
        let recorder = Recorder(engine, frames: 4_000)
        recorder.render(4_000, .fixed(97))
        for frame in 24..<4_000 {
            let down = Float(min(240, max(0, frame - 1_000))) / 240
            let up = Float(min(240, max(0, frame - 2_000))) / 240
            let away = Float(min(240, max(0, frame - 3_000))) / 240
            #expect(abs(recorder.left()[frame] - (1 - down + up)) < 1e-6)
            #expect(abs(recorder.right()[frame] - (1 - down + up - away)) < 1e-6)
        }
    }

    @Test("A rejoining device is faded in")
    func rejoin() throws {
        let (engine, clip) = try constant(48_000)
        try engine.launcher.launch(clip, at: FrameTime.zero)
        let recorder = Recorder(engine, frames: 2_000)
        recorder.render(1_000)
        engine.rejoin()
        recorder.render(1_000)
        for frame in 1_000..<2_000 {
            #expect(abs(recorder.left()[frame] - Float(min(240, frame - 1_000)) / 240) < 1e-6)
        }
    }

    @Test("What is recorded goes on while a device is lost and another one rejoins", arguments: [64, 1_000])
    func recordedRejoin(block: Int) throws {
        let engine = Engine(
            EngineConfiguration(trackCount: 1, tapFrames: 8_192, launchQuantization: .none, firstLaunch: .immediate))
        let samples = (0..<4_800).map { Float(sin(Double($0) / 7)) }
        let clip = try engine.launcher.load(
            SampleBuffer(left: samples, sampleRate: .standard), settings: ClipSettings(track: TrackIndex(0), beats: nil)
        )
        try engine.launcher.launch(clip, at: FrameTime.zero)
        let recorder = Recorder(engine, frames: 3_000)
        recorder.render(1_000, .fixed(block))
        engine.rejoin()
        recorder.render(1_000, .fixed(block))
        engine.rejoin()
        recorder.render(1_000, .fixed(block))
        var (left, right) = ([Float](repeating: 0, count: 3_000), [Float](repeating: 0, count: 3_000))
        let count = engine.readTap(left: &left, right: &right, frames: 3_000)
        #expect(count == 3_000 && left[240...] == samples[240..<3_000] && right == left)
        #expect(recorder.left()[1_000] == 0 && recorder.left()[2_000] == 0)
    }
}
