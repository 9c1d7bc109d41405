import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

/// The pass of a loop that a layer is of, alone.
@Suite("Passes of layers")
struct LayerTurnTests {
    private static func loop(frames: Int, beats: Double) -> PreparedClip {
        PreparedClip(
            buffer: SampleBuffer(left: [Float](repeating: 0.25, count: frames), sampleRate: .standard),
            settings: ClipSettings(track: 0, beats: beats), sampleRate: .standard)
    }

    private static func timeline(_ tempo: Double) -> Timeline {
        var timeline = Timeline(EngineConfiguration(tempo: Tempo(clamping: tempo)))
        _ = timeline.start(lead: 0, at: FrameTime(0))
        return timeline
    }

    @Test("At its own rate a pass has the loop's frames, at another one those that the pass lasts")
    func lengths() {
        let loop = Self.loop(frames: 96_000, beats: 4)
        let cases: [(Double, Int64, Double)] = [(120, 96_000, 1), (150, 76_800, 1.25), (100, 115_200, 96.0 / 115.2)]
        for (tempo, length, rate) in cases {
            let timeline = Self.timeline(tempo)
            let cycle = LayerCycle(over: loop.content, from: Beat(0), at: Beat(6), feedback: 0.5, timeline)
            #expect(cycle.length == length && abs(cycle.rate - rate) < 1e-12)
            #expect(cycle.origin == timeline.tempo.frame(of: Beat(6)) && cycle.end == cycle.origin + length)
            // Two beats into the loop, whose beginning comes half a pass later.
            #expect(abs(cycle.start.frames - 48_000) < 1e-6 && cycle.firstFrame == length / 2)
            #expect(abs(cycle.firstBeat - 2) < 1e-9 && cycle.feedback == 0.5 && !cycle.isChange)
            #expect(cycle.beats(ofLoop: 4) == 4)
        }
        withExtendedLifetime(loop) {}
    }

    @Test(
        "A change is as long as it makes the loop",
        arguments: [
            (LoopChange.reverse, 1), (.multiply, 2), (.insert, 2), (.halfSpeed, 2), (.doubleSpeed, 0.5),
        ] as [(LoopChange, Double)])
    func changes(change: LoopChange, factor: Double) {
        let loop = Self.loop(frames: 96_000, beats: 4)
        var timeline = Self.timeline(120)
        timeline.advance(by: 10_000)
        let cycle = LayerCycle(change, of: loop.content, until: Beat(4), timeline)
        #expect(cycle.isChange && cycle.length == Int64(96_000 * factor) && cycle.beats(ofLoop: 4) == 4 * factor)
        #expect(cycle.origin == FrameTime(10_000) && cycle.end == FrameTime(96_000) && cycle.feedback == 1)
        let isResampled = change == .halfSpeed || change == .doubleSpeed
        #expect(cycle.rate == (isResampled ? 1 / factor : 1))
        withExtendedLifetime(loop) {}
    }

    @Test("How much is recorded over is one of three")
    func extents() {
        let loop = Self.loop(frames: 96_000, beats: 4)
        var cycle = LayerCycle(over: loop.content, from: Beat(0), at: Beat(0), feedback: 1, Self.timeline(120))
        #expect(cycle.recorded == .max && cycle.inputEnd == .max && !cycle.isPart)
        cycle.extent = .whole
        #expect(cycle.recorded == 96_000 && cycle.inputEnd == 96_000 && !cycle.isPart)
        cycle.extent = .part(recorded: 1_000, inputEnd: 1_240, restFrom: FrameTime(5_000))
        #expect(cycle.recorded == 1_000 && cycle.inputEnd == 1_240 && cycle.isPart)
        #expect(cycle.restFrom == FrameTime(5_000))
        withExtendedLifetime(loop) {}
    }
}
