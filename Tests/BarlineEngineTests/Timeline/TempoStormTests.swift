import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

/// Thousands of tempos that are due on one frame.
@Suite("Storms of tempos for one frame")
struct TempoStormTests {
    private static let tracks = 16
    private static let frame = FrameTime(20_000)

    /// An engine whose tracks play loops and one-shots, by varispeed, at their own rate or with their pitch kept, and
    /// others that wait.
    private func engine(seed: UInt64) throws -> (Engine, [ClipHandle]) {
        let engine = Engine(
            EngineConfiguration(
                trackCount: TempoStormTests.tracks, firstLaunch: .immediate,
                metronome: MetronomeSettings(isEnabled: true, subdivision: 3)))
        var random = TestRandom(seed: seed)
        var clips: [ClipHandle] = []
        for place in 0..<3 * TempoStormTests.tracks {
            let frames = random.int(9_000...60_000)
            let sound = (0..<frames).map { _ in Float(random.int(-1_000...1_000)) / 8_000 }
            var settings = ClipSettings(
                track: TrackIndex(place % TempoStormTests.tracks), beats: random.chance(0.8) ? 2 : nil,
                loops: random.chance(0.6), startPosition: random.pick([.fromStart, .synced, .legato]),
                quantization: place < TempoStormTests.tracks ? Quantization.none : .note(numerator: 1, denominator: 4),
                fadeOut: random.chance(0.3) ? 0.1 : nil)
            if settings.beats != nil, random.chance(0.3) { settings.playback = .stretch }
            clips.append(
                try engine.launcher.load(
                    SampleBuffer(left: sound, right: nil, sampleRate: .standard), settings: settings))
        }
        for clip in clips.prefix(TempoStormTests.tracks) { try engine.launcher.launch(clip, at: FrameTime(0)) }
        return (engine, clips)
    }

    /// Clips that are launched, stopped and taken away on the frame of the storm.
    private func disturb(_ engine: Engine, _ clips: [ClipHandle], number: Int, _ random: inout TestRandom) throws {
        let clip = clips[random.int(0...clips.count - 1)]
        switch number % 3 {
        case 0: try engine.launcher.launch(clip, at: TempoStormTests.frame)
        case 1:
            try engine.launcher.stop(
                TrackIndex(random.int(0...TempoStormTests.tracks - 1)), at: TempoStormTests.frame)
        default: try engine.launcher.setGain(Decibels(-Double(random.int(0...12))), of: clip, at: TempoStormTests.frame)
        }
    }

    private func reanchorings(of engine: Engine) -> Int {
        for index in 0..<engine.link.renderer.sourceCount {
            if case .launcher(let launcher) = engine.link.renderer.sources[index] {
                return launcher.pointee.pool.reanchorings
            }
        }
        return 0
    }

    /// What of the events is not about tempos.
    private func others(_ events: [EngineEvent]) -> [EngineEvent] {
        events.filter { event in
            switch event.kind {
            case .transport(.tempoChanged), .commandTaken: false
            default: true
            }
        }
    }

    @Test("They are heard as the last of them alone, whatever is launched and stopped among them", arguments: 1...12)
    func last(seed: UInt64) throws {
        let length = 120_000
        let (stormy, clips) = try engine(seed: seed)
        let (calm, calmClips) = try engine(seed: seed)
        var random = TestRandom(seed: seed + 100)
        var calmRandom = random
        let last = Tempo(clamping: 90 + Double(seed) * 7)
        try calm.transport.setTempo(last, at: TempoStormTests.frame)
        for number in 0..<40 {
            for _ in 0..<50 {
                try stormy.transport.setTempo(
                    Tempo(clamping: 60 + Double((number * 37) % 120)), at: TempoStormTests.frame)
            }
            try stormy.transport.setTempo(last, at: TempoStormTests.frame)
            try disturb(stormy, clips, number: number, &random)
            try disturb(calm, calmClips, number: number, &calmRandom)
        }
        try stormy.transport.setTempo(last, at: TempoStormTests.frame)
        let recorder = Recorder(stormy, frames: length)
        let reference = Recorder(calm, frames: length)
        recorder.render(length, .fixed(64))
        reference.render(length, .fixed(64))
        let heard = Array(recorder.left()), expected = Array(reference.left())
        let difference = heard.indices.first { heard[$0].bitPattern != expected[$0].bitPattern }
        #expect(difference == nil)
        #expect(others(recorder.events).map(\.kind) == others(reference.events).map(\.kind))
        #expect(others(recorder.events).map(\.frame) == others(reference.events).map(\.frame))
        withExtendedLifetime((recorder, reference)) {}
    }

    @Test("Each restates no voice: that is done once a frame, and for what a command asks about")
    func bound() throws {
        let (engine, _) = try engine(seed: 3)
        let recorder = Recorder(engine, frames: 40_000)
        recorder.render(20_000, .fixed(64))
        let before = reanchorings(of: engine)
        let inUse = engine.state.voicesInUse
        #expect(inUse >= TempoStormTests.tracks / 2)
        for number in 0..<4_000 { try engine.transport.setTempo(Tempo(clamping: 60 + Double(number % 120))) }
        for track in 0..<TempoStormTests.tracks {
            try engine.transport.setTempo(Tempo(clamping: 100 + Double(track)))
            try engine.launcher.stopNow(TrackIndex(track))
        }
        recorder.render(64, .fixed(64))
        let done = reanchorings(of: engine) - before
        // Once where it is stopped, once at the end; and once more where a tempo came between the two.
        #expect(done >= inUse && done <= 2 * inUse)
        #expect(engine.transport.state.tempo == Tempo(clamping: 99 + Double(TempoStormTests.tracks)))
        withExtendedLifetime(recorder) {}
    }
}
