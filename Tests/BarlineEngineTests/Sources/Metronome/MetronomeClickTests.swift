import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// What a click sounds like, and that nothing cuts it.
@Suite("The metronome's click")
struct MetronomeClickTests {
    private func engine(tempo: Double = 60, rate: SampleRate = .standard, buses: Int = 1) throws -> Engine {
        let engine = Engine(
            EngineConfiguration(sampleRate: rate, trackCount: 1, busCount: buses, tempo: Tempo(clamping: tempo)))
        try engine.metronome.setOn(true, at: FrameTime.zero)
        try engine.transport.start(at: FrameTime(1_000))
        return engine
    }

    private func play(_ engine: Engine, frames: Int = 60_000) -> Recorder {
        let recorder = Recorder(engine, frames: frames, keepsTracks: true)
        recorder.render(frames, .mixed(seed: 3))
        return recorder
    }

    private func expectClick(
        _ samples: UnsafeBufferPointer<Float>, at frame: Int, frequency: Double, level: Double, rate: Double = 48_000
    ) {
        let click = ReferenceMetronome.Click(frame: frame, frequency: frequency, level: level)
        let wrong = (frame..<frame + Int(0.1 * rate)).first {
            let exact = ReferenceMetronome.sample(click, at: Double($0 - frame) / rate)
            return abs(Double(samples[$0]) - exact) > 1e-6
        }
        #expect(wrong == nil)
        #expect(samples[..<frame].suffix(1_000).allSatisfy { $0 == 0 })
        #expect(samples[(frame + Int(0.1 * rate))...].prefix(1_000).allSatisfy { $0 == 0 })
    }

    @Test("The waveform is the closed form, its last 5 ms fading to zero", arguments: [44_100.0, 48_000, 96_000])
    func waveform(hertz: Double) throws {
        let rate = try #require(SampleRate(hertz))
        let recorder = play(try engine(rate: rate), frames: 200_000)
        expectClick(recorder.metronome, at: 1_000, frequency: 1200, level: 0.9, rate: hertz)
        expectClick(recorder.metronome, at: 1_000 + Int(hertz), frequency: 800, level: 0.6, rate: hertz)
    }

    @Test("Frequencies and levels can be set")
    func settings() throws {
        let engine = try engine()
        try engine.metronome.setClicks(
            ClickSounds(accentFrequency: 1760, beatFrequency: 440, accentLevel: 0.5, beatLevel: 0.25))
        let recorder = play(engine)
        expectClick(recorder.metronome, at: 1_000, frequency: 1760, level: 0.5)
        expectClick(recorder.metronome, at: 49_000, frequency: 440, level: 0.25)
    }

    @Test("A recorded click is played as it is, and faded where it was cut off")
    func recordedClick() throws {
        let engine = try engine()
        var random = TestRandom(seed: 5)
        let left = (0..<3_000).map { _ in Float(random.double(-1...1)) }
        let right = left.map { -$0 }
        try engine.metronome.setClicks(
            ClickSounds(
                source: .samples(SampleBuffer(left: left, right: right, sampleRate: .standard)), accentLevel: 1,
                beatLevel: 0.5))
        let recorder = play(engine)
        for index in 0..<3_000 {
            let fade = Float(min(1, (3_000 - Double(index)) / 240))
            #expect(abs(recorder.left()[1_000 + index] - left[index] * fade) < 1e-6)
            #expect(abs(recorder.right()[49_000 + index] - right[index] * fade / 2) < 1e-6)
        }
    }

    @Test("Woodblock and noise keep to their level, their length and their beat")
    func otherSounds() throws {
        for source in [ClickSounds.Source.woodblock, .noise] {
            let engine = try engine()
            try engine.metronome.setClicks(ClickSounds(source: source))
            let recorder = play(engine)
            let click = recorder.metronome[1_000..<5_800]
            #expect(recorder.metronome[..<1_000].allSatisfy { $0 == 0 })
            #expect(click.contains { abs($0) > 0.3 } && click.allSatisfy { abs($0) <= 0.9001 })
            #expect(recorder.metronome[5_800..<49_000].allSatisfy { $0 == 0 })
        }
    }

    enum Disturbance: String, CaseIterable {
        case tempoUp, tempoDown, ramp, metre, off, offAndOn, otherSounds, pattern, stopOfTransport, tap
    }

    @Test("A click that sounds goes on bit for bit, whatever changes", arguments: Disturbance.allCases)
    func undisturbed(disturbance: Disturbance) throws {
        let plain = play(try engine())
        let engine = try engine()
        let frame = FrameTime(2_345)
        switch disturbance {
        case .tempoUp: try engine.transport.setTempo(Tempo(clamping: 210), at: frame)
        case .tempoDown: try engine.transport.setTempo(Tempo(clamping: 20), at: frame)
        case .ramp: try engine.transport.setTempo(Tempo(clamping: 180), overBeats: 3, at: frame)
        case .metre: try engine.transport.setTimeSignature(try #require(TimeSignature(7, 8)), at: frame)
        case .off: try engine.metronome.setOn(false, at: frame)
        case .offAndOn:
            try engine.metronome.setOn(false, at: frame)
            try engine.metronome.setOn(true, at: frame + 700)
        case .pattern: try engine.metronome.change(pattern: ".", subdivision: 1, at: frame)
        case .stopOfTransport: try engine.transport.stop(at: frame)
        case .tap:
            try engine.transport.tapTempo(at: frame)
            try engine.transport.tapTempo(at: frame + 700)
        case .otherSounds: break
        }
        let recorder = Recorder(engine, frames: 60_000, keepsTracks: true)
        recorder.render(2_345)
        if disturbance == .otherSounds { try engine.metronome.setClicks(ClickSounds(source: .noise)) }
        recorder.render(57_655, .mixed(seed: 1))
        #expect((0..<5_800).allSatisfy { recorder.metronome[$0].bitPattern == plain.metronome[$0].bitPattern })
    }

    @Test("Turning it on moves no beat: it falls in with the grid")
    func fallsIn() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: 137.3)))
        try engine.transport.start(at: FrameTime(1_000))
        try engine.metronome.setOn(true, at: FrameTime(50_001))
        let recorder = play(engine, frames: 100_000)
        #expect(recorder.metronome[..<50_001].allSatisfy { $0 == 0 })
        let period = 60 * 48_000 / 137.3
        let next = Int((1_000 + 3 * period).rounded())
        #expect(next > 50_001)
        expectClick(recorder.metronome, at: next, frequency: 800, level: 0.6)
    }

    @Test("Its gain and its bus are its own, and soloing a track leaves it alone")
    func mixing() throws {
        let engine = try engine(buses: 2)
        try engine.mixer[.metronome].setBus(BusIndex(1))
        try engine.mixer[.metronome].setGain(Decibels(-20))
        try engine.mixer[.track(TrackIndex(0))].setSolo(true)
        let recorder = play(engine)
        #expect(recorder.left(bus: 0).allSatisfy { $0 == 0 })
        let loudest = recorder.left(bus: 1).reduce(0) { max($0, abs($1)) }
        #expect(loudest > 0.07 && loudest < 0.09)
        #expect(engine.state.metronome.meter.peakLeft > 0)
    }

    @Test("A change of the device's sample rate neither cuts nor bends a click")
    func sampleRateChange() throws {
        let engine = try engine()
        let recorder = Recorder(engine, frames: 60_000, keepsTracks: true)
        recorder.render(2_500)
        engine.setSampleRate(try #require(SampleRate(96_000)))
        recorder.render(57_500)
        let click = ReferenceMetronome.Click(frame: 1_000, frequency: 1200, level: 0.9)
        for frame in 2_500..<9_000 {
            let time = 1_500 / 48_000.0 + Double(frame - 2_500) / 96_000
            #expect(abs(Double(recorder.metronome[frame]) - ReferenceMetronome.sample(click, at: time)) < 1e-3)
        }
    }

    @Test("What is out of range is refused")
    func refusals() throws {
        let engine = try engine()
        #expect(throws: EngineError.self) { try engine.metronome.change(subdivision: 5) }
        #expect(throws: EngineError.self) { try engine.metronome.change(swing: 0.8) }
        #expect(throws: EngineError.self) { try engine.metronome.change(countInBars: -1) }
        #expect(throws: EngineError.self) { try engine.metronome.setClicks(ClickSounds(accentFrequency: 24_000)) }
        #expect(throws: EngineError.self) { try engine.metronome.setClicks(ClickSounds(beatLevel: .nan)) }
        #expect(["X.y", "", String(repeating: "x", count: 65)].allSatisfy { AccentPattern($0) == nil })
        #expect(("X.x." as AccentPattern).description == "X.x.")
    }
}
