import BarlineDSP
import BarlineTime
import Testing

@testable import BarlineEngine

@Suite("Bars that are kept from before the first beat")
struct KeptTempoTests {
    @Test("They end where the tempo has changed within them, on whatever frame", arguments: 0..<48)
    func change(number: Int) throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, tempo: Tempo(clamping: 120)))
        try engine.inputs.open(InputIndex(0), channels: 2)
        try engine.transport.start(at: FrameTime(400))
        try engine.transport.setTempo(Tempo(clamping: 140), at: FrameTime(Int64(10_410 + 251 * number)))
        let clip = try engine.launcher.arm(TakeSettings(track: 0, input: InputIndex(0)))
        try engine.launcher.keepLast(bars: 2, as: clip, at: FrameTime(97_737))
        let recorder = Recorder(engine, frames: 120_000)
        recorder.give([TakeStage.noise(120_000, seed: 1), TakeStage.noise(120_000, seed: 2)])
        recorder.render(120_000, .fixed(512))
        let take = try #require(engine.launcher.take(of: clip))
        #expect(!take.isRecording && !take.isEmpty)
    }
}
