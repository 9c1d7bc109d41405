import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

/// Strips that are recorded while they play, against what the same blocks gave apart.
@Suite("Strips that are recorded")
struct StripRecordingTests {
    private static let bar = TakeStage.bar
    private static let strips: [RecordedStrip] = [
        .channel(.track(0)), .channel(.track(1)), .channel(.track(2)), .channel(.metronome), .bus(.main),
        .bus(BusIndex(1)), .input(InputIndex(0)), .channel(.stem(3)),
    ]

    /// Three tracks with a loop each, the last one on another output, clicks, faders that move and a change of output.
    private static func engine() throws -> Engine {
        let engine = Engine(
            EngineConfiguration(
                trackCount: 3, busCount: 2, tempo: Tempo(clamping: 240),
                metronome: MetronomeSettings(isEnabled: true)))
        try engine.inputs.open(InputIndex(0), channels: 2)
        try engine.transport.start(at: FrameTime.zero)
        for track in 0..<3 {
            let noise = TakeStage.noise(36_000, seed: UInt64(track + 1))
            let buffer = SampleBuffer(left: noise, right: noise.map { $0 / 3 }, sampleRate: .standard)
            let clip = try engine.launcher.load(
                buffer, settings: ClipSettings(track: TrackIndex(track), beats: 3))
            try engine.launcher.launch(clip, at: FrameTime(Int64(track * 20_000)))
        }
        try engine.mixer[.track(2)].setBus(BusIndex(1), at: FrameTime.zero)
        try engine.mixer[.track(0)].setGain(-9, over: .beats(5), at: FrameTime(30_000))
        try engine.mixer[.main].setGain(-4, over: .seconds(0.5), at: FrameTime(60_000))
        try engine.mixer[.track(1)].setBus(BusIndex(1), at: FrameTime(100_000))
        try engine.mixer[.track(0)].setMute(true, at: FrameTime(110_000))
        return engine
    }

    /// What the pieces of a strip add up to, from its first frame on; what is missing is silent.
    private static func joined(_ pieces: [StripPiece], _ strip: Int, from start: FrameTime) -> [[Float]] {
        var (left, right): ([Float], [Float]) = ([], [])
        for piece in pieces where piece.strip == strip {
            let missing = Int(piece.frame - start) - left.count
            left += [Float](repeating: 0, count: missing) + piece.left
            right += [Float](repeating: 0, count: missing) + piece.right
        }
        return [left, right]
    }

    @Test(
        "Each is what it gave, frame by frame, from the block on in which it began", arguments: TakeStage.plans)
    func strips(plan: BlockPlan) throws {
        let engine = try Self.engine()
        let recorder = Recorder(engine, frames: 4 * Self.bar, keepsTracks: true)
        let input = TakeStage.noise(4 * Self.bar, seed: 9)
        recorder.give([input, input.map { -$0 }])
        recorder.render(25_000, plan)
        let recording = try engine.mixer.record(Self.strips)
        #expect(recording.start == nil && recording.take(before: FrameTime(.max)).isEmpty)
        var pieces: [StripPiece] = []
        while recorder.frames < 4 * Self.bar {
            recorder.render(min(9_000, 4 * Self.bar - recorder.frames), plan)
            // Not all that is there is asked for.
            pieces += recording.take(before: FrameTime(Int64(recorder.frames - 100)))
        }
        pieces += recording.take(before: FrameTime(.max))
        let start = try #require(recording.start)
        #expect(start == FrameTime(25_000))
        let range = 25_000..<4 * Self.bar
        for (strip, expected) in [
            (recorder.left(track: 0), recorder.right(track: 0)), (recorder.left(track: 1), recorder.right(track: 1)),
            (recorder.left(track: 2), recorder.right(track: 2)), (recorder.metronome, recorder.metronome),
            (recorder.left(), recorder.right()), (recorder.left(bus: 1), recorder.right(bus: 1)),
        ].enumerated() {
            let heard = Self.joined(pieces, strip, from: start)
            #expect(heard[0].elementsEqual(expected.0[range]), "strip \(strip)")
            #expect(heard[1].elementsEqual(expected.1[range]), "strip \(strip)")
            #expect(heard[0].contains { abs($0) > 0.01 })
        }
        let captured = Self.joined(pieces, 6, from: start)
        #expect(captured[0].elementsEqual(input[range]) && captured[1].elementsEqual(input[range].map { -$0 }))
        let idle = Self.joined(pieces, 7, from: start)
        #expect(idle[0].count == range.count && idle[0].allSatisfy { $0 == 0 })
        withExtendedLifetime((recorder, engine)) {}
    }

    @Test("What nobody takes in time leaves a gap in each, and what follows is where it belongs")
    func overrun() throws {
        let engine = try Self.engine()
        let recorder = Recorder(engine, frames: 2 * Self.bar, keepsTracks: true)
        let recording = try engine.mixer.record(Self.strips, frames: 4_096)
        recorder.render(2_000)
        var pieces = recording.take(before: FrameTime(2_000))
        // Three times what the rings hold.
        recorder.render(12_000)
        for _ in 0..<100 {
            pieces += recording.take(before: FrameTime(Int64(recorder.frames)))
            recorder.render(500)
        }
        let track = pieces.filter { $0.strip == 0 }
        let gaps = zip(track, track.dropFirst()).filter { $0.frame + Int64($0.left.count) < $1.frame }
        #expect(gaps.count == 1)
        let gap = try #require(gaps.first)
        #expect(gap.1.frame - gap.0.frame > 8_000)
        for piece in track {
            let first = Int(piece.frame.rawValue)
            #expect(piece.left.elementsEqual(recorder.left(track: 0)[first..<first + piece.left.count]))
        }
        withExtendedLifetime((recorder, engine)) {}
    }

    @Test("What is recorded in place of another recording begins anew, and the one before has its frames still")
    func exchanged() throws {
        let engine = try Self.engine()
        let recorder = Recorder(engine, frames: Self.bar, keepsTracks: true)
        let first = try engine.mixer.record([.channel(.track(0))])
        recorder.render(5_000)
        let second = try engine.mixer.record([.bus(.main)])
        recorder.render(5_000)
        try engine.mixer.endRecording()
        recorder.render(5_000)
        let (one, other) = (first.take(before: FrameTime(.max)), second.take(before: FrameTime(.max)))
        #expect(one.reduce(0) { $0 + $1.left.count } == 5_000)
        #expect(other.first?.frame == FrameTime(5_000) && other.reduce(0) { $0 + $1.left.count } == 5_000)
        withExtendedLifetime((recorder, engine)) {}
    }
}
