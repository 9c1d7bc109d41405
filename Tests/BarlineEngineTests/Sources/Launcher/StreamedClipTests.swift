import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

@Suite("Clips that play from their files", .serialized)
struct StreamedClipTests {
    private static let stereo = LongSound(1)
    private static let mono = LongSound(2, channels: 1)
    private static let otherRate = LongSound(3, sampleRate: SampleRate(unchecked: 44_100))

    /// A performance of a clip: how it is set, and what is done.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var sound = StreamedClipTests.stereo
        var seconds = 30
        let settings: ClipSettings
        var block = 512
        var voices = 16
        let perform: @Sendable (Engine, ClipHandle) throws -> Void
    }

    private static let beats = Double(LongSound.frames) / 48_000

    /// A clip of as many beats as it has seconds: its own tempo is 60 BPM.
    private static func settings(_ change: (inout ClipSettings) -> Void = { _ in }) -> ClipSettings {
        var settings = ClipSettings(track: TrackIndex(0), beats: beats)
        change(&settings)
        return settings
    }

    @Sendable private static func launch(_ engine: Engine, _ clip: ClipHandle) throws {
        try engine.launcher.launch(clip)
    }

    private static func atTempo(_ bpm: Double) -> @Sendable (Engine, ClipHandle) throws -> Void {
        { engine, clip in
            try engine.transport.setTempo(Tempo(clamping: bpm))
            try engine.launcher.launch(clip)
        }
    }

    static let cases = [
        Case(
            testDescription: "at its own rate, over its wrap", seconds: 50,
            settings: settings { $0.playback = .original }, perform: launch),
        Case(testDescription: "slower", settings: settings(), block: 64, perform: atTempo(55.8)),
        Case(testDescription: "faster, over its wrap", seconds: 46, settings: settings(), perform: atTempo(64.2)),
        Case(testDescription: "1.5 times as fast", settings: settings(), block: 1_000, perform: atTempo(90)),
        Case(testDescription: "four times, over its wraps", settings: settings(), perform: atTempo(240)),
        Case(testDescription: "16 times, over its wraps", seconds: 12, settings: settings(), perform: atTempo(960)),
        Case(testDescription: "one channel", sound: mono, settings: settings(), perform: atTempo(133)),
        Case(
            testDescription: "another sample rate", sound: otherRate, seconds: 46,
            settings: settings { $0.playback = .original }, perform: launch),
        Case(
            testDescription: "once, to its end", seconds: 28, settings: settings { $0.loops = false },
            perform: atTempo(110)),
        Case(
            testDescription: "a region, from its first beat", seconds: 30,
            settings: settings { settings in
                settings.region = 40_001..<2_199_000
                settings.beats = 45
                settings.firstBeat = 17.25
                settings.fadeIn = 0.4
            }, perform: atTempo(180)),
        Case(
            testDescription: "a short region", seconds: 10,
            settings: settings { settings in
                settings.region = 1_000_000..<1_090_001
                settings.beats = 4
            }, perform: atTempo(150)),
        Case(
            testDescription: "a region of one frame", seconds: 2,
            settings: settings { settings in
                settings.region = 1_000_000..<1_000_001
                settings.playback = .original
            }, perform: launch),
        Case(
            testDescription: "a region of three frames, in long blocks", seconds: 2,
            settings: settings { settings in
                settings.region = 1_000_000..<1_000_003
                settings.playback = .original
            }, block: 4_096, perform: launch),
        Case(
            testDescription: "in phase with the timeline", seconds: 20,
            settings: settings { settings in
                settings.startPosition = .synced
                settings.quantization = Quantization.none
            },
            perform: { engine, clip in
                try engine.transport.start()
                try engine.transport.setTempo(Tempo(clamping: 300), at: FrameTime(1_000))
                try engine.launcher.launch(clip, at: FrameTime(200_001))
                try engine.launcher.stopNow(TrackIndex(0), at: FrameTime(300_000))
                try engine.launcher.launch(clip, at: FrameTime(777_777))
            }),
        Case(
            testDescription: "tempo ramps", seconds: 30, settings: settings(),
            perform: { engine, clip in
                try engine.transport.setTempo(Tempo(clamping: 60))
                try engine.launcher.launch(clip)
                try engine.transport.setTempo(Tempo(clamping: 400), overBeats: 40, at: FrameTime(100_000))
                try engine.transport.setTempo(Tempo(clamping: 33), overBeats: 8, at: FrameTime(800_000))
                try engine.transport.setTempo(Tempo(clamping: 500), at: FrameTime(1_100_003))
            }),
        Case(
            testDescription: "beats of unequal length", seconds: 30,
            settings: settings { settings in
                settings.beats = 40
                settings.warp = [
                    WarpMarker(frame: 300_000, beat: 8), WarpMarker(frame: 1_500_000, beat: 16),
                    WarpMarker(frame: 1_600_000, beat: 30),
                ]
            }, perform: atTempo(150)),
        Case(
            testDescription: "launched again and again, with long fades", seconds: 14,
            settings: settings { settings in
                settings.startPosition = .legato
                settings.quantization = Quantization.none
                settings.fadeOut = 8
            }, voices: 64,
            perform: { engine, clip in
                for turn in 0..<40 { try engine.launcher.launch(clip, at: FrameTime(Int64(turn) * 6_000)) }
            }),
        Case(
            testDescription: "another region while it plays", seconds: 12, settings: settings(),
            perform: { engine, clip in
                try engine.transport.setTempo(Tempo(clamping: 70))
                try engine.launcher.launch(clip)
                try engine.launcher.setStartPosition(.synced, of: clip, at: FrameTime(400_000))
            }),
    ]

    private func play(_ test: Case, _ buffer: SampleBuffer, _ plan: BlockPlan) throws -> Recorder {
        let engine = Engine(EngineConfiguration(trackCount: 1, voiceCount: test.voices))
        engine.launcher.waitsForClips = true
        let clip = try engine.launcher.load(buffer, settings: test.settings)
        try test.perform(engine, clip)
        let recorder = Recorder(engine, frames: test.seconds * 48_000)
        recorder.render(test.seconds * 48_000, plan)
        return recorder
    }

    @Test("They sound as from memory, bit for bit", arguments: cases)
    func samples(test: Case) throws {
        let window = test.sound.window()
        let streamed = try play(test, window.buffer, .fixed(test.block))
        let fromMemory = try play(test, test.sound.buffer, .mixed(seed: 5))
        #expect(streamed.isIdentical(to: fromMemory))
        #expect(streamed.left().contains { abs($0) > 0.1 })
        #expect(window.problem == nil)
    }

    /// Launches, stops, tempo changes and fades at random, for three clips on two tracks.
    private func storm(_ seed: UInt64, _ buffers: [SampleBuffer]) throws -> Recorder {
        var random = TestRandom(seed: seed)
        let engine = Engine(EngineConfiguration(trackCount: 2, voiceCount: 8))
        engine.launcher.waitsForClips = true
        let clips = try buffers.indices.map { index in
            let settings = StreamedClipTests.settings { settings in
                settings.track = TrackIndex(index % 2)
                settings.startPosition = random.pick([.fromStart, .synced, .legato])
                settings.quantization = random.pick([Quantization.none, .bars(1), nil])
                settings.loops = random.chance(0.8)
                settings.fadeOut = random.pick([nil, 0.5])
                settings.firstBeat = settings.loops ? random.pick([0, 11.5]) : 0
            }
            return try engine.launcher.load(buffers[index], settings: settings)
        }
        let length = 20 * 48_000
        for _ in 0..<40 {
            let moment = FrameTime(Int64(random.int(0...length)))
            switch random.int(0...5) {
            case 0, 1: try engine.launcher.launch(random.pick(clips), at: moment)
            case 2: try engine.launcher.stop(TrackIndex(random.int(0...1)), at: moment)
            case 3: try engine.transport.setTempo(Tempo(clamping: random.double(30...600)), at: moment)
            case 4:
                try engine.transport.setTempo(
                    Tempo(clamping: random.double(30...600)), overBeats: random.double(1...20), at: moment)
            default: try engine.launcher.launchScene(clips.suffix(2), at: moment)
            }
        }
        let recorder = Recorder(engine, frames: length)
        recorder.render(length, .mixed(seed: seed))
        return recorder
    }

    @Test("So do several of them, whatever is done", arguments: 1...6)
    func storms(seed: Int) throws {
        let sounds = [StreamedClipTests.stereo, StreamedClipTests.mono, StreamedClipTests.otherRate]
        let streamed = try storm(UInt64(seed), sounds.map { $0.window().buffer })
        #expect(try streamed.isIdentical(to: storm(UInt64(seed), sounds.map(\.buffer))))
    }

    @Test("A few seconds of them are in memory, and nothing once they are unloaded")
    func memory() throws {
        let window = StreamedClipTests.stereo.window()
        let engine = Engine(EngineConfiguration(trackCount: 1, voiceCount: 16))
        engine.launcher.waitsForClips = true
        let clip = try engine.launcher.load(window.buffer, settings: StreamedClipTests.settings())
        #expect(engine.launcher.isStreamed(clip))
        try engine.transport.setTempo(Tempo(clamping: 60))
        try engine.launcher.launch(clip)
        let recorder = Recorder(engine, frames: 60 * 48_000)
        var largest = 0
        for _ in 0..<60 {
            recorder.render(48_000)
            largest = max(largest, window.residentFrames)
        }
        // Two seconds from where it starts, a second and a half ahead of where it is, and some chunks around them.
        #expect(largest < 9 * 48_000)
        try engine.launcher.unload(clip)
        let block = RenderBuffer(busCount: 1, frameCapacity: 512)
        for _ in 0..<400 where window.residentFrames > 0 {
            engine.render(into: block, frames: 512)
            // What the audio thread has retired is freed with the next command.
            try engine.transport.setTempo(Tempo(clamping: 60))
            Thread.sleep(forTimeInterval: 0.005)
        }
        #expect(window.residentFrames == 0)
    }
}
