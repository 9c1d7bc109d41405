import Barline
import BarlineTestSupport
import Foundation
import Testing

/// When a stage that runs to the end is at it: beside the same render that goes on for long enough.
@Suite("Running to the end", .timeLimit(.minutes(10)))
struct RunToEndTests {
    private let folder: TemporaryFolder
    /// Half a second.
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("tone.wav")
        let samples = (0..<24_000).map { 0.5 * Float(sin(2 * Double.pi * 441 * Double($0) / 48_000)) }
        let file = try AudioFileWriter(path: path, sampleRate: .standard, format: .float32)
        try file.write(left: samples, right: samples, frames: samples.count)
        try file.finish()
    }

    /// The frames that a stage rendered to its end, after checking that nothing would have followed and that all of it
    /// is what a longer render has.
    private func end(
        _ configuration: EngineConfiguration = EngineConfiguration(
            launchQuantization: .none, firstLaunch: .immediate),
        _ location: SourceLocation = #_sourceLocation, _ prepare: (Stage) throws -> Void
    ) async throws -> (length: Int, last: Int) {
        let stage = try Stage(.memory, configuration)
        try prepare(stage)
        try await stage.runToEnd(atMost: 60)
        let longer = try Stage(.memory, configuration)
        try prepare(longer)
        try await longer.run(seconds: 20)
        let (short, long) = (try #require(stage.recording), try #require(longer.recording))
        #expect(short.frameCount < 60 * 48_000, "it ends", sourceLocation: location)
        let isSame = (0..<min(short.frameCount, long.frameCount)).allSatisfy { short.left[$0] == long.left[$0] }
        #expect(isSame, sourceLocation: location)
        let last = (0..<long.frameCount).last { long.left[$0] != 0 } ?? -1
        #expect(last < short.frameCount, "nothing follows", sourceLocation: location)
        // No more than a step, a fade and the limiter's delay.
        #expect(short.frameCount - last < 2_048, "it goes on for no longer than it has to", sourceLocation: location)
        return (short.frameCount, last)
    }

    @Test("A filter rings on after its clip, and is waited for")
    func ringing() async throws {
        let (_, last) = try await end { stage in
            var settings = EffectSettings(.filter)
            settings["cutoff"] = 60
            settings["resonance"] = 20
            try stage.mixer.insert(settings, on: .channel(.track(0)))
            let clip = try stage.load(path) { $0.loops = false }
            try stage.launcher.launch(clip)
        }
        #expect(last > 24_000 + 4_800)
    }

    @Test("A launch that waits for a bar is waited for, through the silence before it")
    func bar() async throws {
        let (_, last) = try await end { stage in
            let first = try stage.load(path) { $0.loops = false }
            let second = try stage.load(path, on: 1) { $0.loops = false }
            try stage.launcher.launch(first)
            // The fourth bar begins after six seconds.
            try stage.launcher.launch(second, at: Bar(4))
        }
        #expect(abs(last - (288_000 + 24_000)) < 300)
    }

    @Test("So is a command for a frame, and what a queue holds until its boundary")
    func queue() async throws {
        let (_, last) = try await end { stage in
            let first = try stage.load(path) { $0.loops = false }
            let second = try stage.load(path, on: 1) {
                $0.loops = false
                $0.quantization = .bars(2)
            }
            try stage.launcher.launch(first)
            try stage.launcher.launch(second, at: FrameTime(150_000))
        }
        #expect(abs(last - (192_000 + 24_000)) < 300)
    }

    @Test("A pad that waits for its grid is waited for")
    func pad() async throws {
        let (_, last) = try await end { stage in
            let pad = try stage.loadPad(path, settings: PadSettings(quantization: .bars(2)))
            try stage.transport.start()
            try stage.sampler.trigger(pad, at: FrameTime(48_000))
        }
        #expect(abs(last - (192_000 + 24_000)) < 300)
    }

    @Test("What the limiter delays is rendered too")
    func limiter() async throws {
        var configuration = EngineConfiguration(launchQuantization: .none, firstLaunch: .immediate)
        configuration.limiter = LimiterSettings()
        // Ends of sounds everywhere within the steps that a stage takes.
        for frames in stride(from: 20_000, to: 21_024, by: 128) {
            _ = try await end(configuration) { stage in
                let clip = try stage.load(path) {
                    $0.loops = false
                    $0.region = 0..<frames
                    $0.fadeOut = 0
                }
                try stage.launcher.launch(clip)
            }
        }
    }

    @Test("Commands that nothing will bring about, and effects on what is not there, are not waited for")
    func never() async throws {
        let stage = try Stage(.memory, EngineConfiguration(stemCapacity: 2))
        let clip = try stage.load(path) { $0.loops = false }
        try stage.launcher.launch(clip, at: Beat(8))
        try stage.mixer.insert(EffectSettings(.filter), on: .channel(.stem(0)))
        try await stage.runToEnd(atMost: 60)
        #expect(try #require(stage.recording).frameCount < 4_800)
        // Until the transport rolls.
        try stage.transport.start()
        try await stage.runToEnd(atMost: 60)
        let recording = try #require(stage.recording)
        let sound = (0..<recording.frameCount).filter { recording.left[$0] != 0 }
        #expect(sound.count > 20_000 && recording.frameCount > 192_000)
    }

    @Test("What has no end is run to its end, and moments that are none are not waited for")
    func endless() async throws {
        let stage = try Stage(.memory, EngineConfiguration(launchQuantization: .none, firstLaunch: .immediate))
        try await stage.runToEnd(atMost: .infinity)
        try await stage.run(seconds: .nan)
        try await stage.run(seconds: -.infinity)
        try await stage.run(frames: .min)
        try stage.transport.start()
        for moment in [Bar(.max), Beat(.nan), Beat(.infinity)] as [any Moment] {
            #expect(try await !stage.run(until: moment, atMost: 0.1))
        }
        #expect(stage.recording.map { $0.frameCount < 48_000 } == true)
    }
}
