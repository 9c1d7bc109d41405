import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

/// Loops that are recorded over from a boundary that had passed when their button was pressed.
@Suite("Layers from late presses")
struct LateLayerTests {
    private static let turn = 3_000
    private static let boundary = 8 * TakeStage.bar
    private static let turns = 12

    /// What the input has in each turn from the boundary on, once: where in the turn, and how loud.
    private static func hit(_ turn: Int) -> (place: Int, level: Float) { (100 + 173 * turn, Float(turn + 1) / 64) }

    /// A silent loop of three thousand frames, on a grid of eight bars, that is recorded over from a press on that comes
    /// `late` after a line of it.
    private static func render(late: Int, latency: Int, feedback: Double, _ plan: BlockPlan) throws -> Recorder {
        let engine = try TakeStage.engine(latency: latency)
        let silence = SampleBuffer(left: [Float](repeating: 0, count: turn), sampleRate: .standard)
        let clip = try engine.launcher.load(
            silence, settings: ClipSettings(track: 0, beats: 0.25, quantization: .bars(8)))
        for _ in 0..<turns + 4 { try engine.launcher.prepareLayers(of: clip) }
        try engine.launcher.launch(clip, at: FrameTime.zero)
        try engine.launcher.overdub(
            clip, OverdubSettings(input: InputIndex(0), feedback: feedback), at: FrameTime(Int64(boundary + late)))
        let frames = boundary + turns * turn
        var input = [Float](repeating: 0, count: frames + latency)
        for turn in 0..<turns { input[boundary + turn * Self.turn + hit(turn).place + latency] = hit(turn).level }
        let recorder = Recorder(engine, frames: frames)
        recorder.give([input, input])
        recorder.render(frames, plan)
        return recorder
    }

    @Test(
        "Each turn since the boundary is a layer, as if the press had been on it",
        arguments: [10, 2_900, 3_000, 5_999, 7_000], [0, 500])
    func layers(late: Int, latency: Int) throws {
        let recorders = try [BlockPlan.fixed(1), .fixed(64), .fixed(4_096), .mixed(seed: 3)].map {
            try Self.render(late: late, latency: latency, feedback: 1, $0)
        }
        for other in recorders.dropFirst() { #expect(recorders[0].isIdentical(to: other)) }
        let left = recorders[0].left()
        // Every pass takes a few hundred frames to be caught up with.
        for turn in late / Self.turn + 3..<Self.turns {
            var expected = [Float](repeating: 0, count: Self.turn)
            for earlier in 0..<turn { expected[Self.hit(earlier).place] += Self.hit(earlier).level }
            let start = Self.boundary + turn * Self.turn
            #expect(Array(left[start..<start + Self.turn]) == expected, "turn \(turn)")
        }
        withExtendedLifetime(recorders) {}
    }

    @Test("What replaces the loop is each turn in place of the one before")
    func replacing() throws {
        let recorders = try [BlockPlan.fixed(64), .fixed(4_096)].map {
            try Self.render(late: 7_000, latency: 100, feedback: 0, $0)
        }
        #expect(recorders[0].isIdentical(to: recorders[1]))
        let left = recorders[0].left()
        for turn in 5..<Self.turns {
            var expected = [Float](repeating: 0, count: Self.turn)
            expected[Self.hit(turn - 1).place] = Self.hit(turn - 1).level
            let start = Self.boundary + turn * Self.turn
            #expect(Array(left[start..<start + Self.turn]) == expected, "turn \(turn)")
        }
        withExtendedLifetime(recorders) {}
    }

    @Test("An end before all turns are caught up with keeps all of them", arguments: [50, 400, 900])
    func ends(after: Int) throws {
        let plans: [BlockPlan] = [.fixed(1), .fixed(64), .fixed(4_096)]
        let sounds = try plans.map { plan in
            let engine = try TakeStage.engine()
            let silence = SampleBuffer(left: [Float](repeating: 0, count: Self.turn), sampleRate: .standard)
            let clip = try engine.launcher.load(silence, settings: ClipSettings(track: 0, beats: 0.25))
            for _ in 0..<8 { try engine.launcher.prepareLayers(of: clip) }
            try engine.launcher.setSnapTolerance(0.5, at: FrameTime.zero)
            try engine.launcher.launch(clip, at: FrameTime.zero)
            let press = TakeStage.bar + 10_000
            let settings = OverdubSettings(input: InputIndex(0))
            try engine.launcher.overdub(clip, settings, at: FrameTime(Int64(press)))
            try engine.launcher.setQuantization(.none, at: FrameTime(Int64(press + 1)))
            try engine.launcher.overdub(clip, settings, at: FrameTime(Int64(press + after)))
            let frames = TakeStage.bar + 12 * Self.turn
            var input = [Float](repeating: 0, count: frames)
            for turn in 0..<4 { input[TakeStage.bar + turn * Self.turn + Self.hit(turn).place] = Self.hit(turn).level }
            let recorder = Recorder(engine, frames: frames)
            recorder.give([input, input])
            recorder.render(frames, plan)
            return recorder
        }
        for other in sounds.dropFirst() { #expect(sounds[0].isIdentical(to: other)) }
        let left = sounds[0].left()
        var expected = [Float](repeating: 0, count: Self.turn)
        for turn in 0..<4 { expected[Self.hit(turn).place] += Self.hit(turn).level }
        let start = TakeStage.bar + 10 * Self.turn
        #expect(Array(left[start..<start + Self.turn]) == expected)
        withExtendedLifetime(sounds) {}
    }
}
