import BarlineDSP
import BarlineTestNumbers
import BarlineTime
import Testing

@testable import BarlineEngine

@Suite("Clips whose channels are the same")
struct EqualChannelTests {
    /// Stereo audio with one sound in both channels, which have memory of their own or share it.
    private func audio(shared: Bool) -> SampleBuffer {
        var random = SeededRandom(seed: 11)
        var level = 0.0
        let samples = (0..<30_000).map { _ in
            level += 0.2 * (random.amplitude() - level)
            return Float(level)
        }
        let storage = SampleStorage(frames: samples.count, channels: 2)
        storage.left.update(from: samples, count: samples.count)
        storage.right.update(from: samples, count: samples.count)
        if shared { storage.shareEqualChannels(samples.count) }
        return SampleBuffer(storage, frameCount: samples.count, sampleRate: SampleRate(44_100) ?? .standard)
    }

    private func rendered(_ settings: ClipSettings, shared: Bool) throws -> (left: [Float], right: [Float]) {
        let engine = Engine(EngineConfiguration(trackCount: 2, voiceCount: 16))
        let buffer = audio(shared: shared)
        #expect((buffer.left == buffer.right) == shared)
        let clip = try engine.launcher.load(buffer, settings: settings)
        try engine.launcher.launch(clip)
        let recorder = Recorder(engine, frames: 200_000)
        recorder.render(120_000, .fixed(512))
        try engine.transport.setTempo(Tempo(clamping: 173), overBeats: 2)
        recorder.render(80_000, .fixed(512))
        return (Array(recorder.left()), Array(recorder.right()))
    }

    @Test("They sound as if each had memory of its own", arguments: 0..<6)
    func sound(number: Int) throws {
        var settings = ClipSettings(track: 0, beats: 1.3)
        settings.region = 1_001..<28_111
        switch number {
        case 0: break
        case 1: settings.playback = .original
        case 2: settings.loops = false
        case 3: settings.playback = .stretch
        case 4:
            settings.playback = .stretch
            settings.transposition = 2.5
        default:
            settings.playback = .stretch
            settings.transposition = -4
            settings.stretch.formants = 0
        }
        let (own, shared) = (try rendered(settings, shared: false), try rendered(settings, shared: true))
        #expect(own.left.contains { $0.magnitude > 0.05 })
        #expect(own.left == shared.left)
        #expect(own.right == shared.right)
    }
}
