import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// A clip that is given a tempo while it plays, or loses it, goes on where it would be had it been so since its launch.
@Suite("Clips that are given a tempo while they play")
struct GivenTempoTests {
    private static let length = 40_000.0
    private static let rate = 44_100.0

    private func plan(_ start: StartPosition, beats: Double?, loops: Bool = true) -> ClipPlan {
        ClipPlan(
            frames: Int(GivenTempoTests.length), sourceRate: GivenTempoTests.rate, beats: beats, loops: loops,
            start: start)
    }

    /// The first frame at which what is heard is not at `position`.
    private func firstFault(
        _ recorder: Recorder, _ frames: Range<Int>, within tolerance: Double = 0.01, _ position: (Int) -> Double
    ) -> Int? {
        stride(from: frames.lowerBound, to: frames.upperBound, by: 7).first { frame in
            let heard = Quadrature.decode(
                recorder.left(track: 0)[frame], recorder.right(track: 0)[frame], length: GivenTempoTests.length)
            let error = Quadrature.distance(heard.position, position(frame), length: GivenTempoTests.length)
            return error > tolerance || abs(heard.amplitude - 0.5) > 2e-4
        }
    }

    @Test("It goes on in time, and back, across 5 ms", arguments: [StartPosition.fromStart, .synced], [3.0, 5.5])
    func givenAndTaken(start: StartPosition, beats: Double) throws {
        let (free, timed) = (plan(start, beats: nil), plan(start, beats: beats))
        func render(_ blocks: BlockPlan) throws -> Recorder {
            var setup = Setup(trackCount: 1)
            setup.tempo = 133
            let engine = Engine(setup.configuration)
            let buffer = try Quadrature.buffer(free)
            let clip = try engine.launcher.load(buffer, settings: Quadrature.settings(free))
            try engine.transport.start(at: FrameTime.zero)
            try engine.launcher.launch(clip, at: FrameTime(100_000))
            try engine.launcher.replace(
                clip, with: buffer, settings: Quadrature.settings(timed), at: FrameTime(250_003))
            try engine.transport.setTempo(Tempo(clamping: 97), overBeats: 3, at: FrameTime(300_000))
            try engine.launcher.replace(clip, with: buffer, settings: Quadrature.settings(free), at: FrameTime(450_001))
            let recorder = Recorder(engine, frames: 550_000, keepsTracks: true)
            recorder.render(550_000, blocks)
            return recorder
        }
        let recorder = try render(.mixed(seed: 3))
        #expect(recorder.isIdentical(to: try render(.fixed(64))))

        var tempo = ReferenceTempo(frame: 0, beat: 0, tempo: 133, rate: 48_000)
        tempo.change(at: 300_000, to: 97, ramp: 3)
        let launched = 8.0
        let origin = start == .synced ? 0 : launched
        func freePosition(_ frame: Int) -> Double {
            (Double(frame) - tempo.exactFrame(of: origin)) * GivenTempoTests.rate / 48_000
        }
        func timedPosition(_ frame: Int) -> Double {
            (tempo.beat(at: frame) - origin) / beats * GivenTempoTests.length
        }
        let first = tempo.frame(of: launched)
        #expect(firstFault(recorder, first + 240..<250_003, freePosition) == nil)
        #expect(firstFault(recorder, 250_243..<450_001, timedPosition) == nil)
        #expect(firstFault(recorder, 450_241..<550_000, freePosition) == nil)

        // Between the two it is one faded into the other, in a straight line.
        func wave(_ position: Double) -> Double { 0.5 * sin(2 * .pi * position / GivenTempoTests.length) }
        for (change, old, new) in [(250_003, freePosition, timedPosition), (450_001, timedPosition, freePosition)] {
            for frame in change..<change + 240 {
                let share = Double(frame - change) / 240
                let expected = wave(old(frame)) * (1 - share) + wave(new(frame)) * share
                #expect(abs(Double(recorder.left(track: 0)[frame]) - expected) < 0.005)
            }
        }

        let starts = recorder.events.filter { if case .launcher(.started) = $0.kind { true } else { false } }
        let stops = recorder.events.filter { if case .launcher(.stopped) = $0.kind { true } else { false } }
        #expect(starts.map { Int($0.frame.rawValue) } == [first])
        #expect(stops.isEmpty)
        // Loops are reported where the model has them while the clip follows the tempo.
        let cycles = recorder.events.compactMap { event -> Int? in
            guard case .launcher(.looped) = event.kind, (250_004..<450_001).contains(event.frame.rawValue) else {
                return nil
            }
            return Int(event.frame.rawValue)
        }
        let expected = (0..<100).map { tempo.frame(of: origin + Double($0) * beats) }
        #expect(cycles == expected.filter { (250_004..<450_001).contains($0) })
    }

    @Test("What it took over from another clip at its launch it keeps")
    func legato() throws {
        let (before, free, timed) = (
            plan(.fromStart, beats: nil), plan(.legato, beats: nil), plan(.legato, beats: 3.0)
        )
        var setup = Setup(trackCount: 1)
        setup.tempo = 133
        let engine = Engine(setup.configuration)
        let buffer = try Quadrature.buffer(free)
        let other = try engine.launcher.load(buffer, settings: Quadrature.settings(before))
        let clip = try engine.launcher.load(buffer, settings: Quadrature.settings(free))
        try engine.transport.start(at: FrameTime.zero)
        try engine.launcher.launch(other, at: FrameTime(20_000))
        try engine.launcher.launch(clip, at: FrameTime(100_000))
        try engine.launcher.replace(clip, with: buffer, settings: Quadrature.settings(timed), at: FrameTime(250_003))
        try engine.transport.setTempo(Tempo(clamping: 97), at: FrameTime(300_000))
        try engine.launcher.replace(clip, with: buffer, settings: Quadrature.settings(free), at: FrameTime(400_003))
        let recorder = Recorder(engine, frames: 500_000, keepsTracks: true)
        recorder.render(500_000, .mixed(seed: 9))
        var tempo = ReferenceTempo(frame: 0, beat: 0, tempo: 133, rate: 48_000)
        tempo.change(at: 300_000, to: 97, ramp: 0)
        // The other one began on beat 4, this one on beat 8.
        func freePosition(_ frame: Int) -> Double {
            (Double(frame) - tempo.exactFrame(of: 4)) * GivenTempoTests.rate / 48_000
        }
        let taken = (tempo.exactFrame(of: 8) - tempo.exactFrame(of: 4)) * GivenTempoTests.rate / 48_000
        func timedPosition(_ frame: Int) -> Double {
            taken + (tempo.beat(at: frame) - 8) / 3 * GivenTempoTests.length
        }
        // What is taken over is the position on the whole frame of the boundary.
        #expect(firstFault(recorder, 180_000..<250_003, within: 0.5, freePosition) == nil)
        #expect(firstFault(recorder, 250_243..<400_003, within: 0.5, timedPosition) == nil)
        #expect(firstFault(recorder, 400_243..<500_000, within: 0.5, freePosition) == nil)
    }

    @Test("One that plays once ends where its length in beats says")
    func once() throws {
        let (free, timed) = (plan(.fromStart, beats: nil, loops: false), plan(.fromStart, beats: 6, loops: false))
        var setup = Setup(trackCount: 1, startsAtOnce: true)
        setup.tempo = 120
        let engine = Engine(setup.configuration)
        let buffer = try Quadrature.buffer(free)
        let clip = try engine.launcher.load(buffer, settings: Quadrature.settings(free))
        try engine.launcher.launch(clip, at: FrameTime.zero)
        try engine.launcher.replace(clip, with: buffer, settings: Quadrature.settings(timed), at: FrameTime(30_000))
        let recorder = Recorder(engine, frames: 160_000, keepsTracks: true)
        recorder.render(160_000)
        // 6 beats at 120 BPM; at its own rate it would have been over after 43,537 frames.
        #expect(firstFault(recorder, 30_240..<143_700) { Double($0) / 144_000 * GivenTempoTests.length } == nil)
        let stops = recorder.events.filter { if case .launcher(.stopped) = $0.kind { true } else { false } }
        #expect(stops.map { Int($0.frame.rawValue) } == [144_000])
    }

    @Test("A clip that loses its tempo after the device's rate has changed counts from its launch")
    func otherSampleRate() throws {
        let (free, timed) = (plan(.fromStart, beats: nil), plan(.fromStart, beats: 3))
        var setup = Setup(trackCount: 1, startsAtOnce: true)
        setup.tempo = 120
        let engine = Engine(setup.configuration)
        let buffer = try Quadrature.buffer(free)
        let clip = try engine.launcher.load(buffer, settings: Quadrature.settings(timed))
        try engine.transport.start(at: FrameTime.zero)
        // Beat 4 is frame 96,000, two seconds in.
        try engine.launcher.launch(clip, at: FrameTime(50_000))
        let recorder = Recorder(engine, frames: 300_000, keepsTracks: true)
        recorder.render(144_000)
        engine.setSampleRate(try #require(SampleRate(96_000)))
        try engine.launcher.replace(clip, with: buffer, settings: Quadrature.settings(free), at: FrameTime(200_000))
        recorder.render(156_000)
        let fault = firstFault(recorder, 200_480..<300_000) { frame in
            // A second of 48,000 frames since the launch, then frames of 1/96,000 s.
            (1 + (Double(frame) - 144_000) / 96_000) * GivenTempoTests.rate
        }
        #expect(fault == nil)
    }
}
