import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Loops that are recorded while the transport stands, and say the tempo.
@Suite("First loops")
struct FirstLoopTests {
    private static let start = 10_000
    private static let fadeIn = 24

    private struct Played {
        let engine: Engine
        let recorder: Recorder
        let clip: ClipHandle
        let input: [Float]

        init(frames: Int, latency: Int = 0, countIn: Int = 0) throws {
            var configuration = EngineConfiguration(trackCount: 2)
            configuration.metronome.countInBars = countIn
            engine = Engine(configuration)
            try engine.inputs.open(InputIndex(0), channels: 2)
            if latency != 0 { try engine.inputs.setLatency(latency, of: InputIndex(0)) }
            var settings = TakeSettings(track: 0, input: InputIndex(0))
            settings.saysTempo = true
            clip = try engine.launcher.arm(settings)
            input = TakeStage.noise(frames, seed: 5)
            recorder = Recorder(engine, frames: frames)
            recorder.give([input, input])
            try engine.launcher.launch(clip, at: FrameTime(Int64(start)))
        }

        var result: RecordedTake? { engine.launcher.take(of: clip)?.result }

        /// The first frame from `start` on at which what is played is not the loop of `length` frames of the input from
        /// `first` on; `nil` where all is.
        func fault(first: Int, length: Int, from start: Int, fadeIn: Int = FirstLoopTests.fadeIn) -> Int? {
            let loop = TakeStage.loop(input, first, length)
            let left = recorder.left()
            defer { withExtendedLifetime(recorder) {} }
            return (start + fadeIn..<left.count).first { left[$0] != loop[($0 - first - length) % length] }
        }
    }

    @Test(
        "From press to press a loop is recorded, plays on from its end, and has made the tempo, whatever the blocks and its length are",
        arguments: [96_000, 100_001, 77_777], TakeStage.plans)
    func recorded(length: Int, plan: BlockPlan) throws {
        let frames = Self.start + 4 * length
        let played = try Played(frames: frames, countIn: 2)
        try played.engine.launcher.launch(played.clip, at: FrameTime(Int64(Self.start + length)))
        played.recorder.render(frames, plan)
        let end = Self.start + length
        let seconds = Double(length) / 48_000
        let tempo = 240 / seconds
        #expect(played.result?.tempo?.beatsPerMinute == tempo && played.result?.beats == 4)
        #expect(played.result?.region.count == length)
        #expect(played.recorder.left()[..<end].allSatisfy { $0 == 0 })
        #expect(played.fault(first: Self.start, length: length, from: end) == nil)
        let state = played.engine.state
        #expect(state.transport.isRolling && state.transport.tempo.beatsPerMinute == tempo)
        // Beat 0 is on the loop's first frame, and nothing is counted in.
        #expect(abs(state.transport.beat.rawValue - 12) < 1e-6)
        withExtendedLifetime(played.recorder) {}
    }

    @Test("What is delivered later belongs earlier, and a press that comes late ends the take where it was made")
    func late() throws {
        let played = try Played(frames: 400_000, latency: 700)
        played.recorder.render(110_000, .fixed(512))
        try played.engine.launcher.launch(played.clip, at: FrameTime(106_000))
        played.recorder.render(290_000, .mixed(seed: 3))
        #expect(played.result?.region.count == 96_000 && played.result?.start.latency == 700)
        let loop = TakeStage.loop(played.input, Self.start + 700, 96_000)
        let left = played.recorder.left()
        let first = 110_080 + 240
        #expect((first..<400_000).allSatisfy { left[$0] == loop[($0 - 106_000) % 96_000] })
        withExtendedLifetime(played.recorder) {}
    }

    @Test("What would be shorter than its own latency goes on until its last frames have come")
    func short() throws {
        let played = try Played(frames: 60_000, latency: 5_000)
        try played.engine.launcher.launch(played.clip, at: FrameTime(Int64(Self.start) + 1_000))
        played.recorder.render(60_000, .mixed(seed: 4))
        #expect(played.result?.region.count == 5_960)
        let tempo = try #require(played.result?.tempo)
        #expect(abs(tempo.beatsPerMinute - 60 * 48_000 / 5_960) < 1e-9)
        withExtendedLifetime(played.recorder) {}
    }

    @Test("A stop ends it without playing it: the tempo is said, and the transport stands")
    func stopped() throws {
        let played = try Played(frames: 200_000)
        try played.engine.launcher.stop(0, at: FrameTime(Int64(Self.start) + 96_000))
        played.recorder.render(200_000, .mixed(seed: 5))
        let left = played.recorder.left()
        #expect(left.allSatisfy { $0 == 0 })
        let state = played.engine.state
        #expect(!state.transport.isRolling && state.transport.tempo.beatsPerMinute == 120)
        #expect(played.result?.beats == 4 && played.result?.region.count == 96_000)
        withExtendedLifetime(played.recorder) {}
    }

    @Test(
        "What sets the transport rolling meanwhile ends it at the tempo that there is; where that rolls already it waits for its boundary"
    )
    func rolling() throws {
        let played = try Played(frames: 400_000)
        try played.engine.transport.start(at: FrameTime(Int64(Self.start) + 60_000))
        var settings = TakeSettings(track: 1, input: InputIndex(0), bars: 1)
        settings.saysTempo = true
        let other = try played.engine.launcher.arm(settings)
        try played.engine.launcher.launch(other, at: FrameTime(Int64(Self.start) + 70_000))
        played.recorder.render(400_000, .mixed(seed: 6))
        #expect(played.result?.tempo == nil && played.result?.region.count == 60_000)
        #expect(abs((played.result?.beats ?? 0) - 2.5) < 1e-9)
        let second = played.engine.launcher.take(of: other)?.result
        #expect(second?.region.count == 96_000 && second?.tempo == nil)
        #expect(played.engine.state.transport.tempo.beatsPerMinute == 120)
        withExtendedLifetime(played.recorder) {}
    }
}
