import BarlineDSP
import BarlineEngine
import BarlineTime
import Testing

/// Bars of click before beat 0.
@Suite("Count-in")
struct CountInTests {
    private func engine(bars: Int, isOn: Bool) throws -> Engine {
        let engine = Engine(
            EngineConfiguration(
                trackCount: 1, timeSignature: try #require(TimeSignature(3, 4)),
                metronome: MetronomeSettings(isEnabled: isOn, countInBars: bars)))
        return engine
    }

    private func clicks(_ recorder: Recorder) -> [Int] {
        (1..<recorder.frames).filter { frame in
            frame < 300
                ? recorder.metronome[frame] != 0 && recorder.metronome[frame - 1] == 0 && frame < 2
                : recorder.metronome[frame] != 0
                    && recorder.metronome[(frame - 300)..<frame].allSatisfy { $0 == 0 }
        }.map { $0 - 1 }
    }

    @Test("Two bars are counted in before beat 0, the metronome on or off", arguments: [false, true])
    func countsIn(isOn: Bool) throws {
        let engine = try engine(bars: 2, isOn: isOn)
        try engine.transport.start(at: FrameTime.zero)
        let recorder = Recorder(engine, frames: 24_000 * 12, keepsTracks: true)
        recorder.render(24_000 * 12)
        #expect(clicks(recorder) == (0..<(isOn ? 12 : 6)).map { $0 * 24_000 })
        let pulses = recorder.events.compactMap { event -> [Int]? in
            if case .metronome(.pulse(let bar, let pulse, _)) = event.kind {
                return [Int(event.frame.rawValue), Int(bar), pulse]
            }
            return nil
        }
        #expect(pulses.prefix(7).last == [144_000, 1, 1])
        #expect(pulses.first == [0, -1, 1])
    }

    @Test("A first launch waits for the end of the count-in, and so does one that comes during it")
    func launches() throws {
        let engine = try engine(bars: 2, isOn: false)
        let samples = [Float](repeating: 0.5, count: 72_000)
        let buffer = SampleBuffer(left: samples, sampleRate: .standard)
        let clip = try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(0), beats: 3))
        try engine.launcher.launch(clip, at: FrameTime(100))
        try engine.launcher.launch(clip, at: FrameTime(30_000))
        let recorder = Recorder(engine, frames: 200_000)
        recorder.render(200_000, .mixed(seed: 2))
        let starts = recorder.events.compactMap { event -> Int? in
            if case .launcher(.started) = event.kind { return Int(event.frame.rawValue) }
            return nil
        }
        #expect(starts == [144_100])
    }

    @Test("A count-in shorter than the launch's own period clicks for its last bars only")
    func shorterThanPeriod() throws {
        let engine = try engine(bars: 1, isOn: false)
        try engine.launcher.setQuantization(.bars(2), at: FrameTime.zero)
        let buffer = SampleBuffer(left: [Float](repeating: 0, count: 72_000), sampleRate: .standard)
        let clip = try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(0), beats: 3))
        try engine.launcher.launch(clip, at: FrameTime.zero)
        let recorder = Recorder(engine, frames: 24_000 * 8, keepsTracks: true)
        recorder.render(24_000 * 8)
        #expect(clicks(recorder) == [72_000, 96_000, 120_000])
    }

    @Test("A change of metre leaves the count-in to its end as it began", arguments: [0, 1_000, 50_000, 143_999])
    func metre(at frame: Int) throws {
        let engine = try engine(bars: 2, isOn: true)
        try engine.transport.start(at: FrameTime.zero)
        let signature = try #require(TimeSignature(4, 4))
        try engine.transport.setTimeSignature(signature, at: FrameTime(Int64(frame)))
        let recorder = Recorder(engine, frames: 24_000 * 12, keepsTracks: true)
        recorder.render(24_000 * 12)
        let pulses = recorder.events.compactMap { event -> [Int]? in
            if case .metronome(.pulse(let bar, let pulse, _)) = event.kind {
                return [Int(event.frame.rawValue) / 24_000, Int(bar), pulse]
            }
            return nil
        }
        let counted = (0..<6).map { [$0, $0 / 3 - 1, $0 % 3 + 1] }
        #expect(pulses == counted + (6..<12).map { [$0, ($0 - 6) / 4 + 1, ($0 - 6) % 4 + 1] })
    }
}
