import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Loops that are recorded over.
@Suite("Layers")
struct LayerTests {
    private static let bar = LayerStage.bar
    private static let plans: [BlockPlan] = [.fixed(1), .fixed(64), .fixed(4_096), .mixed(seed: 7)]

    private static func noise(_ bars: Int, seed: UInt64) -> [[Float]] {
        [TakeStage.noise(bars * bar, seed: seed), TakeStage.noise(bars * bar, seed: seed + 50)]
    }

    private static func press(
        _ engine: Engine, _ clip: ClipHandle, at frame: Int, feedback: Double = 1, bars: Int? = nil
    ) throws {
        let settings = OverdubSettings(input: InputIndex(0), feedback: feedback, bars: bars)
        try engine.launcher.overdub(clip, settings, at: FrameTime(Int64(frame)))
    }

    private static func kinds(_ recorder: Recorder) -> [String] {
        recorder.events.compactMap { event in
            guard case .launcher(let kind) = event.kind else { return nil }
            let frame = event.frame.rawValue
            return switch kind {
            case .recordStarted: "started \(frame)"
            case .recordEnded(_, _, let frames): "ended \(frame) \(frames)"
            case .layerAdded(_, _, _, let frames): "added \(frame) \(frames)"
            case .layerUndone: "undone \(frame)"
            case .layerRedone: "redone \(frame)"
            default: nil
            }
        }
    }

    /// The first frame from `start` on, until `end`, at which what is played is not what the model has.
    private static func fault(_ stage: LayerStage, _ model: LayerModel, _ start: Int, until end: Int) -> Int? {
        let (left, right) = (stage.recorder.left(), stage.recorder.right())
        return (start..<end).first { [left[$0], right[$0]] != model.played($0) }
    }

    @Test("Each cycle is a layer from the next one on, until the next request", arguments: plans)
    func cycles(plan: BlockPlan) throws {
        let stage = try LayerStage(bars: 9, input: Self.noise(9, seed: 1), latency: 900) { engine, clip in
            try Self.press(engine, clip, at: 3 * Self.bar - 5_000, feedback: 0.5)
            try Self.press(engine, clip, at: 5 * Self.bar - 5_000)
        }
        try stage.render(9 * Self.bar, plan)
        #expect(
            Self.kinds(stage.recorder) == [
                "started 48000", "ended 96000 48000", "started 144000", "added 192000 48000", "added 240000 48000",
                "ended 240000 96000",
            ])
        var model = LayerModel(stage)
        #expect(Self.fault(stage, model, 2 * Self.bar + 24, until: 4 * Self.bar) == nil)
        model.add(feedback: 0.5, from: 3 * Self.bar, frames: Self.bar)
        #expect(Self.fault(stage, model, 4 * Self.bar + 24, until: 5 * Self.bar) == nil)
        model.add(feedback: 0.5, from: 4 * Self.bar, frames: Self.bar)
        #expect(Self.fault(stage, model, 5 * Self.bar + 24, until: 9 * Self.bar) == nil)
    }

    @Test("An engine with room for one clip records over it as often as one with room for many")
    func manyLayers() throws {
        let bars = 44
        let stage = try LayerStage(bars: bars, input: Self.noise(bars, seed: 3), clipCapacity: 1) { engine, clip in
            try Self.press(engine, clip, at: 3 * Self.bar - 5_000, feedback: 0.5)
            try Self.press(engine, clip, at: 43 * Self.bar - 5_000)
        }
        try stage.render(bars * Self.bar, .fixed(1_000))
        #expect(Self.kinds(stage.recorder).count { $0.hasPrefix("added") } == 40)
        var model = LayerModel(stage)
        for bar in 3..<43 { model.add(feedback: 0.5, from: bar * Self.bar, frames: Self.bar) }
        #expect(Self.fault(stage, model, 43 * Self.bar + 24, until: bars * Self.bar) == nil)
    }

    @Test(
        "A part of a turn is recorded over from the frame of the press on, and what is beside it stays",
        arguments: plans)
    func part(plan: BlockPlan) throws {
        let (start, end) = (3 * Self.bar + 10_000, 3 * Self.bar + 25_000)
        let stage = try LayerStage(
            bars: 7, input: Self.noise(7, seed: 5), latency: 700, quantization: Quantization.none
        ) { engine, clip in
            try Self.press(engine, clip, at: start, feedback: 0)
            try Self.press(engine, clip, at: end)
        }
        try stage.render(7 * Self.bar, plan)
        var model = LayerModel(stage)
        // It is heard before it comes round.
        let added = try #require(
            stage.recorder.events.first { event in
                if case .launcher(.layerAdded) = event.kind { true } else { false }
            })
        let from = Int(added.frame.rawValue)
        #expect(from > end && from < end + 2_000)
        #expect(Self.fault(stage, model, 2 * Self.bar + 24, until: from) == nil)
        model.add(feedback: 0, from: start, frames: end - start)
        #expect(Self.fault(stage, model, from + 240, until: 7 * Self.bar) == nil)
    }

    @Test("A clip that does not play is launched, and one that is recorded ends and is recorded over at once")
    func straightOn() throws {
        let input = Self.noise(9, seed: 3)
        let engine = try TakeStage.engine()
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0)))
        try engine.launcher.launch(clip, at: FrameTime(Int64(Self.bar)))
        try Self.press(engine, clip, at: 2 * Self.bar - 4_000, bars: 1)
        try engine.launcher.stopNow(0, at: FrameTime(Int64(4 * Self.bar)))
        try Self.press(engine, clip, at: 6 * Self.bar - 4_000, bars: 1)
        let recorder = Recorder(engine, frames: 9 * Self.bar)
        recorder.give(input)
        recorder.render(9 * Self.bar, .mixed(seed: 3))
        #expect(
            Self.kinds(recorder) == [
                "started 48000", "ended 96000 48000", "started 96000", "added 144000 48000", "ended 144000 48000",
                "started 288000", "added 336000 48000", "ended 336000 48000",
            ])
        let left = recorder.left()
        let fault = (7 * Self.bar + 24..<8 * Self.bar - 300).first { frame in
            let place = frame % Self.bar
            let sum = input[0][2 * Self.bar + place] + input[0][Self.bar + place]
            return left[frame] != input[0][6 * Self.bar + place] + sum
        }
        #expect(fault == nil)
        withExtendedLifetime(recorder) {}
    }

    @Test(
        "Ten layers of the metronome's click, played back into the input, lie on the first one", arguments: [0, 1_234])
    func clicks(latency: Int) throws {
        let bars = 14
        let clicker = try TakeStage.engine()
        try clicker.metronome.setOn(true, at: FrameTime.zero)
        let room = Recorder(clicker, frames: bars * Self.bar)
        room.render(bars * Self.bar)
        let click = Array(room.left())
        // What is played comes back so much later.
        let heard = [Float](repeating: 0, count: latency) + click
        let stage = try LayerStage(bars: bars, input: [heard, heard], latency: latency) { engine, clip in
            try Self.press(engine, clip, at: 2 * Self.bar - 4_000, bars: 10)
        }
        try stage.render(bars * Self.bar, .mixed(seed: 9))
        #expect(stage.engine.launcher.layers(of: stage.clip).count >= 10)
        let left = stage.recorder.left()
        #expect(click[12 * Self.bar..<13 * Self.bar].contains { $0 > 0.3 })
        let fault = (12 * Self.bar + 24..<13 * Self.bar).first { frame in
            abs(left[frame] - 11 * click[frame]) > 1e-4
        }
        #expect(fault == nil)
        withExtendedLifetime((stage, room)) {}
    }

    @Test("A tone over a tone has no step, neither at the seam nor where layers come and go")
    func steps() throws {
        let count = 12 * Self.bar
        // Neither is a whole number of cycles a bar, and where the one follows the other nothing is recorded.
        let tone = (0..<count).map { frame -> Float in
            let cycles = frame < 2 * Self.bar + 2_000 ? 55.5 : 71.3
            return Float(0.2 * sin(2 * Double.pi * cycles * Double(frame) / Double(Self.bar)))
        }
        let stage = try LayerStage(
            bars: 12, input: [tone, tone], latency: 300, quantization: Quantization.none
        ) { engine, clip in
            try Self.press(engine, clip, at: 3 * Self.bar + 1_000, feedback: 0.7)
            try Self.press(engine, clip, at: 5 * Self.bar + 20_000)
            try engine.launcher.undoLayer(of: clip, at: FrameTime(Int64(7 * Self.bar + 333)))
            try engine.launcher.redoLayer(of: clip, at: FrameTime(Int64(8 * Self.bar + 333)))
            try engine.launcher.undoLayer(of: clip, at: FrameTime(Int64(9 * Self.bar + 333)))
        }
        try stage.render(count, .mixed(seed: 2))
        let left = stage.recorder.left()
        let steps = (2 * Self.bar + 30..<count).map { (frame: Int) -> Float in abs(left[frame] - left[frame - 1]) }
        let largest = steps.max() ?? 1
        // Three tones' own steps, and what 5 ms of another level add; over the half of a millisecond at a cycle's end a
        // little more.
        #expect(largest < 0.03)
        #expect(Self.kinds(stage.recorder).suffix(3).map { $0.prefix(6) } == ["undone", "redone", "undone"])
        withExtendedLifetime(stage) {}
    }

    @Test("Over a loop at another tempo the input lies where it was played, and what is heard goes on")
    func otherTempo() throws {
        let tone = (0..<12 * Self.bar).map { Float(0.3 * sin(2 * Double.pi * Double($0) / 480)) }
        let quiet = tone.enumerated().map { $0.offset < 3 * Self.bar ? $0.element : 0 }
        let engine = try TakeStage.engine()
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0), bars: 1))
        try engine.launcher.launch(clip, at: FrameTime(Int64(Self.bar)))
        // From here on a bar has 40,000 frames.
        try engine.transport.setTempo(Tempo(clamping: 288), at: FrameTime(Int64(3 * Self.bar)))
        try Self.press(engine, clip, at: 3 * Self.bar + 30_000, bars: 1)
        let recorder = Recorder(engine, frames: 12 * Self.bar)
        recorder.give([quiet, quiet])
        recorder.render(12 * Self.bar, .mixed(seed: 4))
        let start = 3 * Self.bar + 40_000
        #expect(
            Self.kinds(recorder).suffix(3) == [
                "started \(start)", "added \(start + 40_000) 40000", "ended \(start + 40_000) 40000",
            ])
        let left = recorder.left()
        let steady = start + 100..<start + 39_900
        let largest: Float = steady.map { abs(left[$0 + 40_000] - left[$0]) }.max() ?? 1
        #expect(largest < 1e-3)
        withExtendedLifetime(recorder) {}
    }

    @Test("Another tempo, a stop and another clip end what is recorded over a loop, and what there is stays")
    func ends() throws {
        let input = Self.noise(8, seed: 8)
        for (number, end) in ["tempo", "stop", "edit"].enumerated() {
            let at = FrameTime(Int64(3 * Self.bar + 20_000))
            let stage = try LayerStage(bars: 8, input: input, quantization: Quantization.none) { engine, clip in
                try Self.press(engine, clip, at: 3 * Self.bar)
                switch end {
                case "tempo": try engine.transport.setTempo(Tempo(clamping: 200), at: at)
                case "stop": try engine.launcher.stopNow(0, at: at)
                default: try engine.launcher.undoLayer(of: clip, at: at)
                }
            }
            try stage.render(8 * Self.bar, .mixed(seed: UInt64(number)))
            let kinds = Self.kinds(stage.recorder).dropFirst(2)
            #expect(kinds.prefix(2) == ["started 144000", "ended 164000 20000"])
            #expect(kinds.count == (end == "edit" ? 2 : 3), "\(end): \(kinds)")
            withExtendedLifetime(stage) {}
        }
    }

    @Test(
        "At another sample rate a layer ends with all that was delivered, and is heard", arguments: plans,
        [44_100.0, 96_000])
    func otherRate(plan: BlockPlan, hertz: Double) throws {
        let rate = try #require(SampleRate(hertz))
        let latency = 900
        let stage = try LayerStage(bars: 8, input: Self.noise(8, seed: 9), latency: latency) { engine, clip in
            try Self.press(engine, clip, at: 3 * Self.bar - 5_000, feedback: 0.5)
        }
        try stage.render(3 * Self.bar + Self.bar / 2, plan)
        stage.engine.setSampleRate(rate)
        try stage.render(4 * Self.bar, plan)
        let frames = Self.bar / 2 - latency - LayerStage.seam
        let kinds = Self.kinds(stage.recorder).dropFirst(2)
        #expect(kinds.count == 3)
        #expect(kinds.prefix(2) == ["started 144000", "ended \(3 * Self.bar + Self.bar / 2) \(frames)"])
        #expect(kinds.last?.hasPrefix("added ") == true)
        var model = LayerModel(stage)
        model.add(feedback: 0.5, from: 3 * Self.bar, frames: frames)
        let layer = try #require(stage.engine.launcher.layers(of: stage.clip).last?.take)
        let mixed = layer.withSamples(from: layer.margin) { left, right in
            [Array(left.prefix(Self.bar)), Array(right.prefix(Self.bar))]
        }
        let same = (0..<Self.bar - LayerStage.seam).allSatisfy { frame in
            (0..<2).allSatisfy { mixed[$0][frame] == model.current[$0][frame] }
        }
        #expect(same)
    }

    @Test("Clips that can't be recorded over are refused")
    func refusals() throws {
        let engine = try TakeStage.engine()
        let samples = SampleBuffer(left: [Float](repeating: 0.1, count: 4_800), sampleRate: .standard)
        let once = try engine.launcher.load(samples, settings: ClipSettings(track: 0, beats: 1, loops: false))
        let unsynced = try engine.launcher.load(samples, settings: ClipSettings(track: 0, beats: nil))
        let loop = try engine.launcher.load(samples, settings: ClipSettings(track: 0, beats: 1))
        let settings = OverdubSettings(input: InputIndex(0))
        for clip in [once, unsynced] {
            #expect(throws: EngineError.notLayered(clip)) { try engine.launcher.overdub(clip, settings) }
        }
        #expect(throws: EngineError.invalidValue(name: "feedback", value: 1.5)) {
            try engine.launcher.overdub(loop, OverdubSettings(input: InputIndex(0), feedback: 1.5))
        }
        #expect(throws: EngineError.invalidValue(name: "bars", value: 0)) {
            try engine.launcher.overdub(loop, OverdubSettings(input: InputIndex(0), bars: 0))
        }
        try engine.launcher.overdub(loop, settings)
    }

    @Test("A loop of a few frames, which at the session's tempo has none, plays and is not recorded over")
    func shorterThanAFrame() throws {
        let engine = try TakeStage.engine()
        let samples = SampleBuffer(left: [0.1, 0.2, 0.1], sampleRate: .standard)
        let clip = try engine.launcher.load(samples, settings: ClipSettings(track: 0, beats: 1e-5))
        try engine.launcher.prepareLayers(of: clip)
        try engine.launcher.launch(clip, at: FrameTime(Int64(Self.bar)))
        try Self.press(engine, clip, at: 2 * Self.bar, bars: 1)
        let recorder = Recorder(engine, frames: 4 * Self.bar)
        recorder.give(Self.noise(4, seed: 3))
        recorder.render(4 * Self.bar, .mixed(seed: 3))
        #expect(Self.kinds(recorder) == ["ended \(2 * Self.bar) 0"])
        withExtendedLifetime(recorder) {}
    }
}
