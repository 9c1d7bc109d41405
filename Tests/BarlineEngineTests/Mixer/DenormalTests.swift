import BarlineDSP
import BarlineEngine
import BarlineTime
import Testing

@Suite("Denormal numbers")
struct DenormalTests {
    /// Half of a number, as the thread computes it.
    @inline(never)
    private func half(_ value: Float) -> Float { value * 0.5 }

    @Test("What is too quiet for normal numbers is silence in the output, and the thread's mode is what it was")
    func silence() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, launchQuantization: .none, firstLaunch: .immediate))
        let recorder = Recorder(engine, frames: 9_600)
        // A tone that fades out far below what 24 bits have, as the tail of a reverb does.
        let samples = (0..<9_600).map { frame -> Float in
            let sign: Float = frame % 2 == 0 ? 1 : -1
            return sign * Float.leastNormalMagnitude / Float(1 + frame % 1_000)
        }
        #expect(samples.contains { $0.isSubnormal })
        let buffer = SampleBuffer(left: samples, right: nil, sampleRate: .standard)
        let settings = ClipSettings(track: TrackIndex(0), beats: nil, gain: Decibels(-1))
        let clip = try engine.launcher.load(buffer, settings: settings)
        try engine.launcher.launch(clip)
        recorder.render(9_600, .fixed(64))
        #expect(recorder.left().allSatisfy { !$0.isSubnormal })
        #expect(half(Float.leastNormalMagnitude) > 0)
    }
}
