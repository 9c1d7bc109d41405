import BarlineDSP
import BarlineEngine
import BarlineTime
import Testing

/// The memory of blocks, as outputs of one's own use it.
@Suite("A render buffer")
struct RenderBufferTests {
    private let level = [Float](repeating: 0.25, count: 48_000)

    private func engine() throws -> Engine {
        let engine = Engine(EngineConfiguration(trackCount: 2, busCount: 2, firstLaunch: .immediate))
        let sound = SampleBuffer(left: level, right: level.map { -$0 }, sampleRate: .standard)
        let clip = try engine.launcher.load(sound, settings: ClipSettings(track: 1, beats: 2))
        engine.mixer[.track(1)].bus = 1
        try engine.launcher.launch(clip)
        return engine
    }

    @Test("Each bus has its channels, and a block overwrites what the last one left")
    func buses() throws {
        let engine = try engine()
        let buffer = RenderBuffer(busCount: 2, frameCapacity: 1_024)
        #expect(buffer.channelCount == 4)
        for _ in 0..<4 { engine.render(into: buffer, frames: 1_024) }
        for (channel, expected) in [Float(0), 0, 0.25, -0.25].enumerated() {
            #expect((0..<1_024).allSatisfy { abs(buffer.samples(of: channel)[$0] - expected) < 1e-6 })
        }
        try engine.launcher.stopAllNow()
        for _ in 0..<2 { engine.render(into: buffer, frames: 1_024) }
        for channel in 0..<4 { #expect((0..<1_024).allSatisfy { buffer.samples(of: channel)[$0] == 0 }) }
    }

    @Test("A block shorter than the buffers leaves what is behind it")
    func shortBlock() throws {
        let engine = try engine()
        let buffer = RenderBuffer(busCount: 2, frameCapacity: 512)
        for _ in 0..<4 { engine.render(into: buffer, frames: 512) }
        try engine.launcher.stopAllNow()
        for _ in 0..<8 { engine.render(into: buffer, frames: 100) }
        let samples = buffer.samples(of: 2)
        #expect((0..<100).allSatisfy { samples[$0] == 0 } && (100..<512).allSatisfy { abs(samples[$0] - 0.25) < 1e-6 })
        engine.render(into: buffer, frames: 0)
        #expect(engine.now == FrameTime(4 * 512 + 800))
    }
}
