import BarlineDSP
import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Synchronization
import Testing

@testable import BarlineOutputs

/// Voices that are let go by a gate whose clock a test sets: the machine's own speed has no part in it.
@Suite("Shedding", .serialized)
struct SheddingGateTests {
    /// A clock that says that each block has taken as long as was set: it is read before and after each.
    private enum SetClock {
        static let time = Atomic<Int64>(0)
        static let step = Atomic<Int64>(0)

        static func read() -> Int64 { time.wrappingAdd(step.load(ordering: .relaxed), ordering: .relaxed).newValue }
    }

    private static let frames = 480

    /// Eight clips that are launched a beat apart, and a gate to render them.
    private func stage(isAudible: Bool = true) throws -> (Engine, [ClipHandle], RenderSource) {
        let engine = Engine(
            EngineConfiguration(
                trackCount: 8, tempo: Tempo(clamping: 120), launchQuantization: .none, firstLaunch: .immediate))
        let buffer = SampleBuffer(left: [Float](repeating: 0.05, count: 96_000), sampleRate: .standard)
        let clips = try (0..<8).map { track in
            let clip = try engine.launcher.load(buffer, settings: ClipSettings(track: TrackIndex(track), beats: 4))
            try engine.launcher.launch(clip, at: FrameTime(Int64(100 * track)))
            return clip
        }
        let source = RenderSource(engine: engine, busNames: ["main"], isAudible: isAudible) { SetClock.read() }
        return (engine, clips, source)
    }

    /// Renders blocks of 10 ms that take `load` of it.
    private func play(_ source: RenderSource, blocks: Int, load: Double) {
        SetClock.step.store(Int64(load * 1e7), ordering: .relaxed)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * SheddingGateTests.frames)
        samples.initialize(repeating: 0, count: 2 * SheddingGateTests.frames)
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 2)
        defer {
            samples.deallocate()
            pointers.deallocate()
        }
        for channel in 0..<2 { (pointers + channel).initialize(to: samples + channel * SheddingGateTests.frames) }
        for _ in 0..<blocks {
            source.gate.pointee.render(
                AudioBlock(outputs: UnsafePointer(pointers), outputCount: 2, frames: SheddingGateTests.frames))
        }
    }

    private func playing(_ engine: Engine) -> [Int] {
        engine.state.tracks.indices.filter { engine.state.tracks[$0].playing != nil }
    }

    @Test("Above 90 % the clips that were launched last stop, a quarter of eight at 100 %, and that is reported")
    func overload() throws {
        let (engine, clips, source) = try stage()
        defer { source.release() }
        let events = engine.events.queue()
        play(source, blocks: 20, load: 0.9)
        #expect(playing(engine).count == 8)
        // Three blocks above; the fourth has fewer voices.
        play(source, blocks: 3, load: 1)
        #expect(playing(engine).count == 8)
        play(source, blocks: 1, load: 0.8)
        #expect(playing(engine) == [0, 1, 2, 3, 4, 5])
        let kinds = events.take().filter { $0.frame.rawValue == 23 * 480 }.map(\.kind)
        #expect(
            kinds == [
                .launcher(.stopped(clip: clips[7], track: 7)), .launcher(.stopped(clip: clips[6], track: 6)),
                .voicesShed(count: 2),
            ])
        play(source, blocks: 50, load: 0.8)
        #expect(playing(engine).count == 6)
        // Six sevenths and more: all go at once, and then nothing is reported any more.
        play(source, blocks: 100, load: 5)
        #expect(playing(engine).isEmpty)
        let told = events.take().filter { if case .voicesShed = $0.kind { true } else { false } }
        #expect(told.map(\.kind) == [.voicesShed(count: 6)])
    }

    @Test("What was stopped can be launched again")
    func relaunch() throws {
        let (engine, clips, source) = try stage()
        defer { source.release() }
        play(source, blocks: 4, load: 0.1)
        play(source, blocks: 4, load: 1)
        #expect(playing(engine).count == 6)
        try engine.launcher.launch(clips[7])
        play(source, blocks: 4, load: 0.5)
        #expect(playing(engine) == [0, 1, 2, 3, 4, 5, 7])
    }

    @Test("A clock that nobody hears lets nothing go, and neither does a render")
    func unheard() throws {
        let (engine, _, source) = try stage(isAudible: false)
        defer { source.release() }
        play(source, blocks: 50, load: 5)
        #expect(playing(engine).count == 8)
        #expect(source.gate.pointee.meter.counted.load(since: nil)?.max == OutputLoad.most)
    }
}
