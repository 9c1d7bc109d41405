import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// Meters against their definition.
@Suite("Meters")
struct MeterTests {
    @Test("Peak and RMS follow their formulas, block by block", arguments: [44_100.0, 48_000, 96_000])
    func formulas(rate: Double) throws {
        let sampleRate = try #require(SampleRate(rate))
        var random = TestRandom(seed: 11)
        var meter = Meter()
        var peak = (0.0, 0.0)
        var square = (0.0, 0.0)
        for block in 0..<300 {
            let frames = random.int(1...600)
            let level = block % 50 < 10 ? random.double(0...1) : 0.01
            let left = (0..<frames).map { _ in Float(random.double(-level...level)) }
            let right = left.map { -$0 * 0.5 }
            meter.update(left: left, right: right, MeterBallistics(frames: frames, sampleRate: sampleRate))
            let fall = pow(1 - log(10) / 1.5 / rate, Double(frames))
            let keep = exp(-Double(frames) / (0.3 * rate))
            let high = left.map { Double(abs($0)) }.max() ?? 0
            let mean = left.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(frames)
            peak = (max(high, peak.0 * fall), max(high / 2, peak.1 * fall))
            square = (mean + (square.0 - mean) * keep, mean / 4 + (square.1 - mean / 4) * keep)
            let reading = meter.reading
            #expect(abs(Double(reading.peakLeft) - peak.0) < 1e-5 * peak.0 + 1e-7)
            #expect(abs(Double(reading.peakRight) - peak.1) < 1e-5 * peak.1 + 1e-7)
            #expect(abs(Double(reading.rmsLeft) - square.0.squareRoot()) < 1e-4 * square.0.squareRoot() + 1e-7)
            #expect(abs(Double(reading.rmsRight) - square.1.squareRoot()) < 1e-4 * square.1.squareRoot() + 1e-7)
        }
    }

    @Test("Track and bus meters show what is heard, fall by 20 dB in 1.5 s and come to rest")
    func enginesMeters() throws {
        let engine = Engine(EngineConfiguration(trackCount: 2, launchQuantization: .none, firstLaunch: .immediate))
        let buffer = SampleBuffer(
            left: [Float](repeating: 0.8, count: 100), right: [Float](repeating: -0.4, count: 100),
            sampleRate: .standard)
        let clip = try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(0), beats: nil))
        try engine.mixer[.track(TrackIndex(0))].setGain(Decibels(-6), at: FrameTime.zero)
        try engine.launcher.launch(clip, at: FrameTime.zero)
        try engine.launcher.stopNow(TrackIndex(0), at: FrameTime(144_000))
        let recorder = Recorder(engine, frames: 2_000_000)
        recorder.render(144_000)
        let gain = Float(Decibels(-6).amplitude)
        let playing = engine.state.tracks[0].strip.meter
        #expect(abs(playing.peakLeft - 0.8 * gain) < 1e-5)
        #expect(abs(playing.peakRight - 0.4 * gain) < 1e-5)
        #expect(abs(playing.rmsLeft - 0.8 * gain) < 1e-3)
        #expect(engine.state.buses[0] == playing)
        #expect(engine.state.tracks[1].strip.meter == .silence)
        recorder.render(72_000)
        let later = engine.state.tracks[0].strip.meter
        #expect(abs(later.peakLeft / (0.08 * gain) - 1) < 0.01)
        recorder.render(1_500_000, .fixed(8_192))
        #expect(engine.state.tracks[0].strip.meter == .silence)
        #expect(engine.state.buses[0] == .silence)
    }
}
