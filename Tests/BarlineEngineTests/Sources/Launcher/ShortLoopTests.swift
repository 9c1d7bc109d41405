import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// Loops down to a single frame, against indexing modulo the length and against the exact waveform.
@Suite("Loops of any length")
struct ShortLoopTests {
    private func noise(_ count: Int, seed: UInt64) -> [Float] {
        var random = TestRandom(seed: seed)
        return (0..<count).map { _ in Float(random.double(-1...1)) }
    }

    @Test("At rate 1 a loop is its samples over and over, bit for bit", arguments: [1, 2, 3, 10, 63, 64, 65, 512, 959])
    func periodicAtRateOne(length: Int) throws {
        for isSynced in [false, true] {
            let engine = Engine(
                EngineConfiguration(trackCount: 1, launchQuantization: .none, firstLaunch: .immediate))
            let left = noise(length + 300, seed: 1)
            let right = noise(length + 300, seed: 2)
            let settings = ClipSettings(
                track: TrackIndex(0), region: 100..<100 + length, beats: isSynced ? Double(length) / 24_000 : nil)
            let clip = try engine.launcher.load(
                SampleBuffer(left: left, right: right, sampleRate: .standard), settings: settings)
            try engine.launcher.launch(clip, at: FrameTime(37))
            let recorder = Recorder(engine, frames: 5_000)
            recorder.render(5_000, .fixed(64))
            for frame in 0..<5_000 {
                // A loop of noise that is launched at once comes in over half a millisecond.
                let level = min(1, Float(frame - 37) / 24)
                let index = frame < 37 ? nil : 100 + (frame - 37) % length
                let isRight =
                    recorder.left()[frame].bitPattern == (index.map { left[$0] * level } ?? 0).bitPattern
                    && recorder.right()[frame].bitPattern == (index.map { right[$0] * level } ?? 0).bitPattern
                if !isRight {
                    Issue.record("length \(length), synced \(isSynced), frame \(frame)")
                    return
                }
            }
            let wraps = recorder.events.filter {
                if case .launcher(.looped) = $0.kind { return true }
                return false
            }
            #expect(wraps.map { Int($0.frame.rawValue) } == Array(stride(from: 37 + length, to: 5_000, by: length)))
        }
    }

    @Test(
        "At other rates a loop is its band-limited waveform",
        arguments: [22_050.0, 32_000, 44_100, 88_200, 96_000], [10, 63, 64, 65, 500])
    func waveformAtOtherRates(sourceRate: Double, length: Int) throws {
        let engine = Engine(
            EngineConfiguration(trackCount: 1, launchQuantization: .none, firstLaunch: .immediate))
        let harmonics = length == 10 ? 1 : 5
        func value(_ position: Double) -> Double {
            var sum = 0.1
            for harmonic in 1...harmonics {
                let cycles = Double(harmonic) * (position / Double(length) + 0.13)
                sum += 0.15 * cos(2 * Double.pi * cycles)
            }
            return sum
        }
        let outside = noise(200, seed: 9)
        let samples = outside + (0..<length).map { Float(value(Double($0))) } + outside
        let buffer = SampleBuffer(left: samples, sampleRate: try #require(SampleRate(sourceRate)))
        let clip = try engine.launcher.load(
            buffer, settings: ClipSettings(track: TrackIndex(0), region: 200..<200 + length, beats: nil))
        try engine.launcher.launch(clip, at: FrameTime(37))
        let recorder = Recorder(engine, frames: 3_000)
        recorder.render(3_000, .fixed(64))
        var worst = 0.0
        for frame in 37..<3_000 {
            let expected = value(Double(frame - 37) * sourceRate / 48_000) * min(1, Double(frame - 37) / 24)
            worst = max(worst, abs(Double(recorder.left()[frame]) - expected))
            #expect(recorder.left()[frame] == recorder.right()[frame])
        }
        #expect(worst < 1e-4, "the largest error is \(worst)")
    }

    @Test("A synced loop of a few frames may wrap many times a frame", arguments: [1, 2, 3, 10])
    func wrapsManyTimesAFrame(length: Int) throws {
        let engine = Engine(
            EngineConfiguration(
                trackCount: 1, tempo: Tempo(clamping: 999), launchQuantization: .none, firstLaunch: .immediate))
        let samples = [Float](repeating: 0.25, count: length)
        let clip = try engine.launcher.load(
            SampleBuffer(left: samples, sampleRate: .standard),
            settings: ClipSettings(track: TrackIndex(0), beats: ClipSettings.beatsRange.lowerBound))
        try engine.launcher.launch(clip, at: FrameTime.zero)
        let recorder = Recorder(engine, frames: 20_000)
        recorder.render(20_000, .fixed(64))
        let period = ClipSettings.beatsRange.lowerBound * 60 * 48_000 / 999
        var last = 0
        for event in recorder.events {
            guard case .launcher(.looped(_, _, let iteration)) = event.kind else { continue }
            #expect(Int(event.frame.rawValue) == Int((Double(iteration) * period + 0.500001).rounded(.down)))
            last = Int(iteration)
        }
        #expect(abs(Double(last) * period - 20_000) <= period + 1)
        #expect((0..<20_000).allSatisfy { abs(recorder.left()[$0] - 0.25 * min(1, Float($0) / 24)) < 1e-5 })
    }

    @Test("A loop exactly one block long wraps on every block", arguments: [64, 256, 1_024])
    func oneBlockLoops(length: Int) throws {
        let engine = Engine(
            EngineConfiguration(trackCount: 1, launchQuantization: .none, firstLaunch: .immediate))
        let samples = (0..<length).map { Float(sin(2 * Double.pi * Double($0) / Double(length))) }
        let clip = try engine.launcher.load(
            SampleBuffer(left: samples, sampleRate: .standard),
            settings: ClipSettings(track: TrackIndex(0), beats: Double(length) / 24_000))
        try engine.launcher.launch(clip, at: FrameTime.zero)
        let recorder = Recorder(engine, frames: 10 * length)
        recorder.render(10 * length, .fixed(length))
        #expect((0..<10 * length).allSatisfy { recorder.left()[$0] == samples[$0 % length] })
        let wraps = recorder.events.compactMap(Happening.init).filter {
            if case .looped = $0.kind { return true }
            return false
        }
        #expect(wraps.map(\.frame) == (1...9).map { $0 * length })
    }
}
