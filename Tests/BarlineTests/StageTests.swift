import Barline
import BarlineTestSupport
import Foundation
import Testing

/// An engine with an output in two lines, the same code live and offline.
@Suite("The stage", .timeLimit(.minutes(10)))
struct StageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tone(_ name: String, frames: Int, level: Float = 0.5, rate: SampleRate = .standard) throws -> String {
        let path = folder.path(name)
        let samples = (0..<frames).map { level * Float(sin(2 * Double.pi * 441 * Double($0) / rate.hertz)) }
        let file = try AudioFileWriter(path: path, sampleRate: rate, format: .float32)
        try file.write(left: samples, right: samples, frames: frames)
        try file.finish()
        return path
    }

    @Test("A pad that is asked for while it sounds begins beside itself, each on its frame")
    func pads() async throws {
        let stage = try Stage(.memory)
        let pad = try stage.loadPad(try tone("pad.wav", frames: 24_000, level: 0.25))
        for beat in 0..<4 { try stage.sampler.trigger(pad, at: FrameTime(Int64(beat) * 4_800)) }
        try await stage.run(frames: 40_000)
        let recording = try #require(stage.recording)
        let sound = recording.samples(of: 0)
        func sample(_ frame: Int) -> Float {
            0..<24_000 ~= frame ? 0.25 * Float(sin(2 * Double.pi * 441 * Double(frame) / 48_000)) : 0
        }
        for frame in 0..<23_000 {
            let expected = (0..<4).reduce(Float(0)) { $0 + sample(frame - 4_800 * $1) }
            #expect(abs(sound[frame] - expected) < 1e-4, "frame \(frame)")
        }
    }

    @Test("Time passes until a bar, a beat or a frame, to the frame, through a change of tempo")
    func until() async throws {
        let stage = try Stage(.memory, EngineConfiguration(tempo: 150, timeSignature: "7/8"))
        try stage.transport.start()
        #expect(try await stage.run(until: Bar(3)))
        // A bar of 7/8 at 150 BPM takes 67,200 frames; from here on one of 60,480.
        #expect(stage.engine.now == FrameTime(2 * 67_200))
        try stage.transport.setTempo(Tempo(clamping: 150 / 0.9))
        #expect(try await stage.run(until: Bar(4)))
        #expect(stage.engine.now == FrameTime(2 * 67_200 + 60_480))
        #expect(try await stage.run(until: Beat(14)))
        #expect(stage.engine.now == FrameTime(2 * 67_200 + 2 * 60_480))
        #expect(try await stage.run(until: Bar.next))
        #expect(stage.engine.now == FrameTime(2 * 67_200 + 2 * 60_480))
        #expect(try await stage.run(until: stage.engine.now + 1_001))
        #expect(stage.engine.now == FrameTime(2 * 67_200 + 2 * 60_480 + 1_001))
        #expect(try await stage.run(until: Bar.next))
        #expect(stage.engine.now == FrameTime(2 * 67_200 + 3 * 60_480))
        #expect(try await stage.run(until: Bar(2)), "what has passed is reached")
        #expect(stage.engine.now == FrameTime(2 * 67_200 + 3 * 60_480))
    }

    @Test("A bar is not reached while the transport is stopped, and on the frame on which it stops it is")
    func untilStopped() async throws {
        let stage = try Stage(.memory)
        #expect(try await !stage.run(until: Bar(2), atMost: 1))
        #expect(stage.engine.now == FrameTime(48_000))
        try stage.transport.start()
        try stage.transport.stop(at: Bar(2))
        #expect(try await stage.run(until: Bar(2), atMost: 60))
        #expect(stage.engine.now == FrameTime(48_000 + 96_000))
        #expect(try await !stage.run(until: HostTime.now + 0.1, atMost: 0.5), "offline no such time passes")
    }

    @Test("A beat that is passed between two looks at the transport was reached, though it has stopped since")
    func untilShortRoll() async throws {
        let stage = try Stage(.memory)
        // Time passes in steps of 256 frames. Within one of them the transport rolls for 190, and is at the beat after
        // 96.
        let step: Int64 = 256 * 188
        try stage.transport.start(at: FrameTime(step + 10))
        try stage.transport.stop(at: FrameTime(step + 200))
        #expect(try await stage.run(until: Beat(0.004), atMost: 10))
        #expect(stage.engine.now == FrameTime(step + 256))
        // One that is twice as fast from the middle on.
        try stage.transport.start(at: FrameTime(step + 256 + 10))
        try stage.transport.setTempo(240, at: FrameTime(step + 256 + 50))
        try stage.transport.stop(at: FrameTime(step + 256 + 100))
        #expect(try await stage.run(until: Beat(0.005), atMost: 10))
        #expect(stage.engine.now == FrameTime(step + 512))
    }

    @Test("Live the time of the host's clock is waited for")
    func untilHostTime() async throws {
        let stage = try Stage(.live(OutputSelection(backend: .null)))
        let begin = HostTime.now
        #expect(try await stage.run(until: begin + 0.25))
        #expect(HostTime.now - begin >= 0.2)
        try stage.transport.start()
        try stage.transport.stop(at: Beat(4))
        #expect(try await stage.run(until: Beat(4), atMost: 60))
        try stage.stop()
        #expect(try await !stage.run(until: Beat(9)), "a stage that was stopped waits for nothing")
    }

    @Test("Files that are played offline are in the recording, sample for sample, one after the other")
    func files() async throws {
        let (first, second) = (try tone("a.wav", frames: 30_001), try tone("b.wav", frames: 20_000, level: 0.25))
        let stage = try Stage(.memory)
        try stage.play(first, second)
        try await stage.runToEnd()
        try stage.stop()
        let expected = try [first, second].flatMap { path -> [Float] in
            let clip = try AudioClip(path: path)
            return (0..<clip.samples.frameCount).map { clip.samples.left[$0] }
        }
        let recording = try #require(stage.recording)
        #expect(recording.frameCount >= expected.count)
        #expect((0..<expected.count).allSatisfy { recording.left[$0] == expected[$0] })
        #expect((expected.count..<recording.frameCount).allSatisfy { recording.left[$0] == 0 })
        #expect(!stage.isLive && stage.output == nil)
    }

    @Test("A file has what the memory has")
    func file() async throws {
        let loop = try tone("loop_120bpm.wav", frames: 48_000)
        var recordings: [SampleBuffer?] = []
        for output in [Stage.Output.memory, .file(folder.path("take.wav"))] {
            let stage = try Stage(output, EngineConfiguration(tempo: 110))
            let clip = try stage.load(loop, on: 2) { $0.gain = -6 }
            try stage.launcher.launch(clip)
            try await stage.run(seconds: 5)
            try stage.stop()
            recordings.append(stage.recording)
        }
        let written = try AudioClip(path: folder.path("take.wav")).samples
        let kept = try #require(recordings[0])
        #expect(written.frameCount == 240_000 && kept.frameCount == 240_000 && recordings[1] == nil)
        #expect((0..<written.frameCount).contains { written.left[$0] != 0 })
        #expect((0..<written.frameCount).allSatisfy { abs(written.left[$0] - kept.left[$0]) < 1e-4 })
    }

    @Test("A loop's length in beats is what its name says, and what is given comes first")
    func beats() throws {
        let stage = try Stage(.memory)
        let named = try stage.load(try tone("loop_120bpm.wav", frames: 48_000))
        let given = try stage.load(try tone("other_120bpm.wav", frames: 48_000), beats: 3)
        let silent = try stage.load(try tone("loop.wav", frames: 48_000))
        #expect(stage.launcher.settings(of: named)?.beats == 2)
        #expect(stage.launcher.settings(of: given)?.beats == 3)
        #expect(stage.launcher.settings(of: silent)?.beats == nil)
    }

    @Test("Stems are kept by the stage, also where nobody else keeps them")
    func stems() async throws {
        let (first, second) = (try tone("a.wav", frames: 90_000), try tone("b.wav", frames: 60_000))
        let stage = try Stage(.memory)
        try stage.loadStems([first, second]).play()
        try await stage.runToEnd()
        let recording = try #require(stage.recording)
        let ends = (0..<recording.frameCount).last { recording.left[$0] != 0 } ?? 0
        #expect(abs(ends - 90_000) < 400)
        #expect(stage.stems?.problems.isEmpty == true)
        let source = try AudioClip(path: first).samples
        #expect(
            (40_000..<50_000).allSatisfy { abs(recording.left[$0] - 2 * source.left[$0 - start(recording)]) < 1e-5 })
    }

    private func start(_ recording: SampleBuffer) -> Int {
        (0..<recording.frameCount).first { recording.left[$0] != 0 }.map { $0 - 1 } ?? 0
    }

    @Test("What can't be played is refused with its file's name, and nothing is changed")
    func refusals() throws {
        let stage = try Stage(.memory)
        let good = try tone("a.wav", frames: 1_000)
        let bad = try folder.write("bad.wav", "no audio at all")
        try stage.play(good)
        #expect(throws: StageError.self) { try stage.play(good, bad) }
        #expect(stage.playlist.items.count == 1)
        do {
            _ = try stage.load(folder.path("none.wav"))
            Issue.record("a file that is not there was loaded")
        } catch {
            #expect(error.description.contains("none.wav"))
        }
        #expect(throws: StageError.self) { _ = try stage.load(good, on: 64) }
        #expect(throws: StageError.self) { _ = try Stage(.file(folder.path("none/take.wav"))) }
        #expect(throws: StageError.self) {
            var selection = OutputSelection()
            selection.backend = .snapcast
            selection.device = "no address : at all"
            _ = try Stage(.live(selection))
        }
    }

    @Test("An output of one's own plays a stage, at its own rate")
    func ownOutput() async throws {
        let rate = try #require(SampleRate(44_100))
        let stage = try Stage(.device { NullDevice(sampleRate: rate, blockFrames: 64) })
        #expect(stage.isLive && stage.engine.sampleRate == rate)
        try await stage.run(seconds: 0.1)
        #expect(stage.engine.now >= FrameTime(4_410))
        try stage.stop()
        let refusal = OutputError.cannotStart(backend: "mine", reason: "nothing is there")
        #expect(throws: StageError.output(refusal)) {
            _ = try Stage(.device { () throws(OutputError) in throw refusal })
        }
    }

    @Test("Live, a stage plays on when nobody keeps it, until it is stopped")
    func live() async throws {
        var selection = OutputSelection()
        selection.backend = .null
        let path = try tone("a.wav", frames: 12_000)
        weak var kept: Stage?
        let events: EventQueue
        do {
            let stage = try Stage(.live(selection))
            events = stage.events.queue()
            try stage.play(path)
            kept = stage
        }
        let stage = try #require(kept)
        #expect(stage.isLive && stage.output?.status == .running)
        try await stage.runToEnd(atMost: 60)
        #expect(
            events.take().contains { event in
                if case .playlist(.ended) = event.kind { return true }
                return false
            })
        try stage.stop()
        #expect(stage.output?.status == .stopped)
        try await stage.run(seconds: 60)
    }

    @Test("What runs to the end is over when the stage is stopped, though a loop plays", .timeLimit(.minutes(1)))
    func stoppedWhileRunning() async throws {
        var selection = OutputSelection()
        selection.backend = .null
        let stage = try Stage(.live(selection))
        let loop = try stage.load(try tone("a.wav", frames: 12_000), beats: 1)
        try stage.launcher.launch(loop)
        async let end: Void = stage.runToEnd()
        try await stage.run(seconds: 0.2)
        try stage.stop()
        try await end
    }

    @Test("Of several tasks that let time pass offline each lets its own pass, one block in turn")
    func together() async throws {
        let stage = try Stage(.memory)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await stage.run(frames: 20_000) } }
            try await group.waitForAll()
        }
        #expect(stage.engine.now == FrameTime(160_000) && stage.recording?.frameCount == 160_000)
    }
}
