import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Slots that are recorded into: which frames a take has, and how it plays on.
@Suite("Takes")
struct TakeTests {
    private static let bar = TakeStage.bar
    private static let fade = 24

    private static func recorder(_ engine: Engine, bars: Int, _ input: [[Float]]) -> Recorder {
        let recorder = Recorder(engine, frames: bars * bar)
        recorder.give(input)
        return recorder
    }

    /// The first frame from `start` on at which what is played is not the loop; `nil` where all is.
    private static func fault(
        _ played: UnsafeBufferPointer<Float>, _ loop: [Float], from start: Int, fadeIn: Int = fade
    ) -> Int? {
        (start + fadeIn..<played.count).first { played[$0] != loop[($0 - start) % loop.count] }
    }

    private static func starts(_ recorder: Recorder) -> [Int] {
        recorder.events.compactMap {
            if case .launcher(.recordStarted) = $0.kind { Int($0.frame.rawValue) } else { nil }
        }
    }

    private static func ends(_ recorder: Recorder) -> [[Int]] {
        recorder.events.compactMap { event in
            guard case .launcher(.recordEnded(_, _, let frames)) = event.kind else { return nil }
            return [Int(event.frame.rawValue), Int(frames)]
        }
    }

    @Test(
        "A take of a bar has that bar's frames and plays on from its end, whatever the blocks are",
        arguments: TakeStage.plans)
    func bar(plan: BlockPlan) throws {
        let input = [TakeStage.noise(5 * Self.bar, seed: 1), TakeStage.noise(5 * Self.bar, seed: 2)]
        let engine = try TakeStage.engine()
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0), bars: 1))
        try engine.launcher.launch(clip, at: FrameTime(10_000))
        let recorder = Self.recorder(engine, bars: 5, input)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(5 * Self.bar, plan)
        #expect(Self.starts(recorder) == [Self.bar])
        #expect(Self.ends(recorder) == [[2 * Self.bar, Self.bar]])
        #expect(recorder.left()[..<(2 * Self.bar)].allSatisfy { $0 == 0 })
        #expect(Self.fault(recorder.left(), TakeStage.loop(input[0], Self.bar, Self.bar), from: 2 * Self.bar) == nil)
        #expect(Self.fault(recorder.right(), TakeStage.loop(input[1], Self.bar, Self.bar), from: 2 * Self.bar) == nil)
        let result = try #require(engine.launcher.take(of: clip)?.result)
        #expect(
            result.beats == 4 && result.region.count == Self.bar && result.start.frame == FrameTime(Int64(Self.bar)))
    }

    #if os(Linux)
        @Test("Of the memory that was made ready for a take, what it did not need is given back when it is over")
        func memory() throws {
            let engine = try TakeStage.engine()
            let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0), bars: 1))
            try engine.launcher.launch(clip, at: FrameTime(10_000))
            let take = try #require(engine.launcher.take(of: clip))
            /// Pages in memory of the first ten seconds of a channel, in seconds.
            func resident() -> Double {
                let page = Int(sysconf(Int32(_SC_PAGESIZE)))
                let first = (UInt(bitPattern: take.samples().left) + UInt(page) - 1) / UInt(page) * UInt(page)
                var pages = [UInt8](repeating: 0, count: 10 * 48_000 * 4 / page)
                #expect(mincore(UnsafeMutableRawPointer(bitPattern: first), pages.count * page, &pages) == 0)
                return Double(pages.count { $0 & 1 == 1 } * page) / (48_000 * 4)
            }
            #expect(resident() > 9.5)
            let recorder = Self.recorder(engine, bars: 5, [TakeStage.noise(5 * Self.bar, seed: 1)])
            defer { withExtendedLifetime(recorder) {} }
            recorder.render(5 * Self.bar, .fixed(256))
            let sound = Array(UnsafeBufferPointer(start: take.samples().left, count: 2 * Self.bar))
            take.prepareMemory()
            #expect(take.isFinished && resident() < 3)
            #expect(Array(UnsafeBufferPointer(start: take.samples().left, count: 2 * Self.bar)) == sound)
        }
    #endif

    @Test("The level of an input is what it gives, behind its gain, and falls when it ends")
    func levels() throws {
        let engine = try TakeStage.engine()
        try engine.inputs.open(InputIndex(1), channels: 1)
        try engine.inputs.setGain(Decibels(-20), of: InputIndex(1))
        #expect(engine.state.inputs[0] == .silence)
        let half = [Float](repeating: 0.5, count: Self.bar)
        let lasting = [Float](repeating: 0.5, count: 4 * Self.bar)
        let recorder = Self.recorder(engine, bars: 4, [half, half.map { -$0 / 2 }, lasting])
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(Self.bar, .mixed(seed: 4))
        let level = engine.state.inputs[0]
        #expect(level.peakLeft == 0.5 && level.peakRight == 0.25)
        #expect(abs(level.rmsLeft - 0.5) < 0.05)
        recorder.render(3 * Self.bar, .mixed(seed: 4))
        #expect(engine.state.inputs[0].peakLeft < 0.05)
        let quiet = engine.state.inputs[1]
        #expect(abs(quiet.peakLeft - 0.05) < 1e-6 && quiet.peakRight == quiet.peakLeft)
    }

    @Test(
        "A take whose ends don't meet leads from its last frames to what came before its first",
        arguments: TakeStage.plans)
    func seam(plan: BlockPlan) throws {
        // Five and a half cycles a bar.
        let wave = (0..<5 * Self.bar).map { Float(0.5 * cos(11 * Double.pi * Double($0) / Double(Self.bar))) }
        let engine = try TakeStage.engine(latency: 100)
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0), bars: 1))
        try engine.launcher.launch(clip, at: FrameTime(10_000))
        let recorder = Self.recorder(engine, bars: 5, [wave, wave])
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(5 * Self.bar, plan)
        let loop = TakeStage.loop(wave, Self.bar + 100, Self.bar)
        #expect(loop[Self.bar - 1] != wave[2 * Self.bar + 99])
        #expect(Self.fault(recorder.left(), loop, from: 2 * Self.bar) == nil)
        let (left, start) = (recorder.left(), 2 * Self.bar + 300)
        #expect((start..<left.count).allSatisfy { abs(left[$0] - left[$0 - 1]) < 0.01 })
    }

    @Test(
        "What an input delivers late lies where it belongs, and the end comes while the loop plays",
        arguments: TakeStage.plans)
    func latency(plan: BlockPlan) throws {
        let input = [TakeStage.noise(5 * Self.bar, seed: 3), TakeStage.noise(5 * Self.bar, seed: 4)]
        let engine = try TakeStage.engine(latency: 3_001)
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0), bars: 1))
        try engine.launcher.launch(clip, at: FrameTime(10_000))
        let recorder = Self.recorder(engine, bars: 5, input)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(5 * Self.bar, plan)
        #expect(Self.ends(recorder) == [[2 * Self.bar, Self.bar]])
        let loop = TakeStage.loop(input[0], Self.bar + 3_001, Self.bar)
        #expect(Self.fault(recorder.left(), loop, from: 2 * Self.bar) == nil)
    }

    @Test(
        "A press just after the boundary loses nothing, and without bars the next press ends the take on its boundary")
    func presses() throws {
        let input = [TakeStage.noise(6 * Self.bar, seed: 5)]
        let engine = try TakeStage.engine()
        try engine.inputs.open(InputIndex(0), channels: 1)
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0)))
        // Within 2 % of a bar.
        try engine.launcher.launch(clip, at: FrameTime(Int64(Self.bar + 900)))
        try engine.launcher.launch(clip, at: FrameTime(Int64(2 * Self.bar + 5_000)))
        let recorder = Self.recorder(engine, bars: 6, [input[0], input[0]])
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(6 * Self.bar, .mixed(seed: 3))
        #expect(Self.starts(recorder) == [Self.bar + 900])
        #expect(Self.ends(recorder) == [[3 * Self.bar, 2 * Self.bar]])
        #expect(
            Self.fault(recorder.left(), TakeStage.loop(input[0], Self.bar, 2 * Self.bar), from: 3 * Self.bar) == nil)
        #expect(recorder.left().elementsEqual(recorder.right()))
    }

    @Test("A press just after the boundary ends a take there, and it comes in where it would be by then")
    func lateEnd() throws {
        let input = [TakeStage.noise(4 * Self.bar, seed: 6), TakeStage.noise(4 * Self.bar, seed: 7)]
        let engine = try TakeStage.engine()
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0)))
        try engine.launcher.launch(clip, at: FrameTime(10))
        try engine.launcher.launch(clip, at: FrameTime(Int64(2 * Self.bar + 700)))
        let recorder = Self.recorder(engine, bars: 4, input)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(4 * Self.bar)
        #expect(Self.ends(recorder) == [[2 * Self.bar + 700, 2 * Self.bar]])
        let loop = TakeStage.loop(input[0], 0, 2 * Self.bar)
        #expect(recorder.left()[..<(2 * Self.bar + 700)].allSatisfy { $0 == 0 })
        // The fade-in of a late start is 5 ms long.
        #expect(Self.fault(recorder.left(), loop, from: 2 * Self.bar, fadeIn: 700 + 240) == nil)
    }

    @Test(
        "The last bars can be kept when they were played already, up to the line that is meant",
        arguments: TakeStage.plans)
    func keepLast(plan: BlockPlan) throws {
        let input = [TakeStage.noise(8 * Self.bar, seed: 8), TakeStage.noise(8 * Self.bar, seed: 9)]
        let engine = try TakeStage.engine(tracks: 2)
        let clips = try (0..<2).map {
            try engine.launcher.arm(TakeSettings(track: TrackIndex($0), input: InputIndex(0)))
        }
        try engine.launcher.keepLast(bars: 2, as: clips[0], at: FrameTime(Int64(4 * Self.bar + 20_000)))
        // So near the next line that it is meant.
        try engine.launcher.keepLast(bars: 1, as: clips[1], at: FrameTime(Int64(5 * Self.bar - 900)))
        try engine.launcher.launch(clips[0], at: FrameTime(Int64(5 * Self.bar - 1_000)))
        try engine.launcher.stop(0, at: FrameTime(Int64(7 * Self.bar - 100)))
        try engine.launcher.launch(clips[1], at: FrameTime(Int64(7 * Self.bar - 100)))
        let recorder = Self.recorder(engine, bars: 8, input)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(8 * Self.bar, plan)
        let end = [4 * Self.bar + 20_000, 5 * Self.bar - 900]
        #expect(Self.ends(recorder) == [[end[0], 2 * Self.bar], [end[1], Self.bar]])
        let (first, second) = (
            TakeStage.loop(input[0], 2 * Self.bar, 2 * Self.bar), TakeStage.loop(input[0], 4 * Self.bar, Self.bar)
        )
        let left = recorder.left()
        // Loops are led in from their own ends.
        #expect((5 * Self.bar..<7 * Self.bar - 240).allSatisfy { left[$0] == first[$0 - 5 * Self.bar] })
        #expect((7 * Self.bar + 240..<8 * Self.bar).allSatisfy { left[$0] == second[$0 - 7 * Self.bar] })
    }

    @Test("A stop ends a take without playing it, and so does another clip of the track; both can be played later")
    func stopped() throws {
        let input = [TakeStage.noise(8 * Self.bar, seed: 10), TakeStage.noise(8 * Self.bar, seed: 11)]
        let engine = try TakeStage.engine()
        let clips = try (0..<2).map { _ in try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0))) }
        try engine.launcher.launch(clips[0], at: FrameTime(10))
        try engine.launcher.stop(0, at: FrameTime(Int64(2 * Self.bar - 10)))
        try engine.launcher.launch(clips[1], at: FrameTime(Int64(3 * Self.bar - 10)))
        try engine.launcher.launch(clips[0], at: FrameTime(Int64(4 * Self.bar - 1_000)))
        let recorder = Self.recorder(engine, bars: 8, input)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(8 * Self.bar, .mixed(seed: 5))
        #expect(Self.ends(recorder) == [[2 * Self.bar, 2 * Self.bar], [4 * Self.bar, Self.bar]])
        let (loop, left) = (TakeStage.loop(input[0], 0, 2 * Self.bar), recorder.left())
        #expect(left[..<(4 * Self.bar - 240)].allSatisfy { $0 == 0 })
        #expect((4 * Self.bar..<8 * Self.bar).allSatisfy { left[$0] == loop[($0 - 4 * Self.bar) % loop.count] })
    }

    @Test("Frames that the device dropped are silence in a take, which keeps its length")
    func gap() throws {
        let input = [TakeStage.noise(5 * Self.bar, seed: 12), TakeStage.noise(5 * Self.bar, seed: 13)]
        let engine = try TakeStage.engine()
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0), bars: 2))
        try engine.launcher.launch(clip, at: FrameTime(10))
        let recorder = Self.recorder(engine, bars: 5, input)
        defer { withExtendedLifetime(recorder) {} }
        recorder.jumpClock(by: 3_000, at: Self.bar + 500)
        recorder.render(5 * Self.bar)
        let take = try #require(engine.launcher.take(of: clip))
        let result = try #require(take.result)
        #expect(result.region.count == 2 * Self.bar && result.start.gaps == 1)
        let first = result.region.lowerBound + Self.bar + 500
        #expect(take.gaps == [first..<first + 3_000])
        let expected =
            input[0][..<(Self.bar + 500)] + [Float](repeating: 0, count: 3_000)
            + input[0][(Self.bar + 500)..<(2 * Self.bar - 3_000)]
        take.withSamples(from: result.region.lowerBound) { left, _ in
            #expect(left[..<(2 * Self.bar)].elementsEqual(expected))
        }
    }

    /// The frames at which quarter notes lie on a timeline that goes from 100 to 140 BPM over 24 beats from beat 6 on,
    /// and to 90 BPM at once within beat 34.
    private static func rampedBeats(_ count: Int) -> (frames: [Int], jump: FrameTime) {
        var map = TempoMap(tempo: Tempo(clamping: 100), sampleRate: .standard)
        map.change(at: map.frame(of: Beat(6)), to: Tempo(clamping: 140), overBeats: 24)
        let jump = map.frame(of: Beat(34.3))
        map.change(at: jump, to: Tempo(clamping: 90))
        return ((0..<count).map { Int(map.frame(of: Beat(Double($0))).rawValue) }, jump)
    }

    @Test(
        "A take made through a ramp and a jump of the tempo lies on its beats at any tempo", arguments: TakeStage.plans)
    func ramp(plan: BlockPlan) throws {
        let (beats, jump) = Self.rampedBeats(45)
        let engine = Engine(EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: 100)))
        try engine.inputs.open(InputIndex(0), channels: 1)
        try engine.transport.start(at: FrameTime.zero)
        try engine.transport.setTempo(Tempo(clamping: 140), overBeats: 24, at: FrameTime(Int64(beats[6])))
        try engine.transport.setTempo(Tempo(clamping: 90), at: jump)
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0), bars: 8))
        try engine.launcher.launch(clip, at: FrameTime(Int64(beats[4] - 1_000)))
        // Bars 2 to 9 are recorded, of a short click on each beat, and played twice at 120 BPM.
        let end = beats[36]
        try engine.transport.setTempo(Tempo(clamping: 120), at: FrameTime(Int64(end)))
        var input = [Float](repeating: 0, count: end + 40_000)
        for beat in beats where beat + 20 < input.count {
            for frame in 0..<20 { input[beat + frame] = Float(20 - frame) / 20 }
        }
        let cycle = 32 * 24_000
        let recorder = Recorder(engine, frames: end + 2 * cycle)
        recorder.give([input, input])
        recorder.render(end + 2 * cycle, plan)
        let take = try #require(engine.launcher.take(of: clip))
        let result = try #require(take.result)
        #expect(result.beats == 32 && result.region.count == end - beats[4])
        #expect(take.warp.first == WarpMarker(frame: result.region.lowerBound, beat: 0))
        #expect(take.warp.last == WarpMarker(frame: result.region.upperBound, beat: 32))
        let played = recorder.left()
        // The first one is faded in, as any clip's that begins loud.
        for beat in 1..<64 {
            // An attack is where the click is first half as high as it gets, a frame at most from its place.
            let place = end + beat * 24_000
            let around = max(end, place - 400)..<min(played.count, place + 400)
            let attack = around.first { abs(played[$0]) > 0.5 }
            #expect(attack.map { abs($0 - place) <= 1 } == true, "beat \(beat): \(attack.map { $0 - place } ?? -9_999)")
        }
        // As a session has it, it is the same clip.
        let settings = try #require(engine.launcher.settings(of: clip))
        #expect(settings.warp.count == take.warp.count - 2 && !settings.isLayered)
        #expect(throws: EngineError.notLayered(clip)) {
            try engine.launcher.overdub(clip, OverdubSettings(input: InputIndex(0)))
        }
        withExtendedLifetime((recorder, engine)) {}
    }

    @Test("A take made at one tempo has no warp markers, whatever the tempo was before and is after")
    func steady() throws {
        let engine = try TakeStage.engine()
        try engine.transport.setTempo(Tempo(clamping: 300), overBeats: 2, at: FrameTime(100))
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0), bars: 1))
        try engine.launcher.launch(clip, at: FrameTime(60_000))
        let recorder = Recorder(engine, frames: 6 * Self.bar)
        recorder.give([TakeStage.noise(6 * Self.bar, seed: 1)])
        recorder.render(3 * Self.bar)
        try engine.transport.setTempo(Tempo(clamping: 100))
        recorder.render(3 * Self.bar)
        let take = try #require(engine.launcher.take(of: clip))
        #expect(take.result?.beats == 4 && take.warp.isEmpty)
        withExtendedLifetime((recorder, engine)) {}
    }

    @Test("The clip of a take plays as one that is loaded from the same samples")
    func reloaded() throws {
        let input = [TakeStage.noise(6 * Self.bar, seed: 14), TakeStage.noise(6 * Self.bar, seed: 15)]
        let engine = try TakeStage.engine()
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0), bars: 1))
        try engine.launcher.launch(clip, at: FrameTime(10_000))
        let recorder = Self.recorder(engine, bars: 6, input)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(4 * Self.bar)
        let take = try #require(engine.launcher.take(of: clip))
        #expect(take.isFinished)
        let other = try TakeStage.engine()
        let settings = try #require(engine.launcher.settings(of: clip))
        let copy = try other.launcher.load(take.samples(), settings: settings)
        try other.launcher.launch(copy, at: FrameTime(10_000))
        try other.transport.setTempo(Tempo(clamping: 271), overBeats: 3, at: FrameTime(Int64(4 * Self.bar + 5)))
        try engine.transport.setTempo(Tempo(clamping: 271), overBeats: 3, at: FrameTime(Int64(4 * Self.bar + 5)))
        let second = Recorder(other, frames: 6 * Self.bar)
        defer { withExtendedLifetime(second) {} }
        second.render(6 * Self.bar, .mixed(seed: 9))
        recorder.render(2 * Self.bar)
        let (played, expected) = (recorder.left(), second.left())
        #expect((3 * Self.bar..<4 * Self.bar).allSatisfy { played[$0] == expected[$0] })
        // Over the ramp positions are those of another cycle of the same loop, and differ by what rounding does. It is
        // faster than the take: slower, a clip that was loaded has midpoints, and the narrower filter that they allow.
        #expect((4 * Self.bar..<6 * Self.bar).allSatisfy { abs(played[$0] - expected[$0]) < 1e-6 })
    }

    @Test(
        "A take that ends on the frame on which it began, during a ramp of the tempo, can be played",
        arguments: TakeStage.plans)
    func shortest(plan: BlockPlan) throws {
        let engine = try TakeStage.engine()
        let start = FrameTime(20_000)
        try engine.launcher.setQuantization(.none)
        try engine.transport.setTempo(Tempo(clamping: 137), overBeats: 8, at: FrameTime(5_000))
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0)))
        try engine.launcher.launch(clip, at: start)
        try engine.launcher.stopNow(0, at: start)
        let recorder = Self.recorder(engine, bars: 2, [TakeStage.noise(2 * Self.bar, seed: 3), []])
        recorder.render(Self.bar, plan)
        let take = try #require(engine.launcher.take(of: clip))
        #expect(take.result?.region.count == 1 && take.warp.isEmpty)
        try engine.launcher.launch(clip, at: FrameTime(Int64(Self.bar) + 100))
        recorder.render(Self.bar, plan)
        #expect(recorder.left().allSatisfy { abs($0) < 1 })
    }

    @Test("A take goes on in memory that was taken away from it only as long as nothing reads it")
    func unloaded() throws {
        let engine = try TakeStage.engine()
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0)))
        let take = try #require(engine.launcher.take(of: clip))
        try engine.launcher.launch(clip, at: FrameTime(10))
        let recorder = Self.recorder(engine, bars: 2, [TakeStage.noise(2 * Self.bar, seed: 1), []])
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(Self.bar)
        #expect(take.isRecording)
        try engine.launcher.unload(clip)
        try engine.inputs.close(InputIndex(0))
        recorder.render(1_000)
        #expect(take.isFinished && engine.launcher.take(of: clip) == nil)
        #expect(throws: EngineError.noTake(clip)) { try engine.launcher.keepLast(bars: 1, as: clip) }
    }
}
