import BarlineTime
import Testing

@testable import BarlineEngine

/// Takes that are about as long as it takes their input to deliver them.
@Suite("Takes shorter than their input's latency")
struct ShortTakeTests {
    /// Frames of a bar at 960 BPM and 48 kHz.
    private static let bar = 12_000
    private static let frames = 10 * bar
    private static let fade = 240

    private static func record(
        latency: Int, bars: Int?, _ input: [Float], _ plan: BlockPlan,
        _ act: (Engine, ClipHandle) throws -> Void = { _, _ in }
    ) throws -> Recorder {
        let engine = try TakeStage.engine(latency: latency)
        try engine.transport.setTempo(Tempo(clamping: 960), at: FrameTime.zero)
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0), bars: bars))
        try engine.launcher.launch(clip, at: FrameTime(5_000))
        try act(engine, clip)
        let recorder = Recorder(engine, frames: frames)
        recorder.give([input, input])
        recorder.render(frames, plan)
        return recorder
    }

    @Test(
        "A take of a bar that is delivered after its end plays in phase as soon as it is there",
        arguments: [11_030, 11_100, 11_760, 12_000, 12_001, 17_000])
    func bars(latency: Int) throws {
        let input = TakeStage.noise(Self.frames, seed: 3)
        let recorders = try TakeStage.plans.map { try Self.record(latency: latency, bars: 1, input, $0) }
        for other in recorders.dropFirst() { #expect(recorders[0].isIdentical(to: other)) }
        let left = recorders[0].left()
        let loop = TakeStage.loop(input, Self.bar + latency, Self.bar)
        let isThere = latency + 960 <= Self.bar ? 2 * Self.bar : 2 * Self.bar + latency
        #expect((0..<isThere).allSatisfy { left[$0] == 0 })
        let fault = (isThere + Self.fade..<Self.frames).first { left[$0] != loop[$0 % Self.bar] }
        #expect(fault == nil)
        let kinds = recorders[0].events.compactMap { event -> Int? in
            if case .launcher(.started) = event.kind { Int(event.frame.rawValue) } else { nil }
        }
        #expect(kinds == [isThere])
        withExtendedLifetime(recorders) {}
    }

    @Test("One that was stopped and is launched again before it is there does so too", arguments: [0, 3_000, 20_000])
    func relaunched(latency: Int) throws {
        let input = TakeStage.noise(Self.frames, seed: 4)
        let (end, length) = (FrameTime(Int64(Self.bar + 2_341)), 2_341)
        let recorders = try TakeStage.plans.map { plan in
            try Self.record(latency: latency, bars: nil, input, plan) { engine, clip in
                try engine.launcher.stopNow(0, at: end)
                try engine.launcher.setQuantization(.none, at: end)
                try engine.launcher.launch(clip, at: end + 50)
            }
        }
        for other in recorders.dropFirst() { #expect(recorders[0].isIdentical(to: other)) }
        let left = recorders[0].left()
        let loop = TakeStage.loop(input, Self.bar + latency, length)
        let start = Self.bar + length + 50
        let isThere = latency + 960 <= length + 50 ? start : Self.bar + length + latency
        #expect((0..<isThere).allSatisfy { left[$0] == 0 })
        let first = isThere + Self.fade
        #expect((first..<Self.frames).first { left[$0] != loop[($0 - start) % length] } == nil)
        withExtendedLifetime(recorders) {}
    }
}
