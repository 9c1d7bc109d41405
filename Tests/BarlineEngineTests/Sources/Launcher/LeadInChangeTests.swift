import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// What happens between the first frame of a lead-in and its boundary.
@Suite("Changes during a lead-in")
struct LeadInChangeTests {
    private typealias Stage = StartStage
    private let due = LeadInTests.due
    /// Half way through the lead-in.
    private var middle: Int { due - 120 }

    private func stage() throws -> (Stage, ClipHandle) {
        let stage = Stage()
        let clip = try stage.load(frames: 4 * Stage.beat)
        try stage.engine.launcher.launch(clip, at: FrameTime.zero)
        return (stage, clip)
    }

    /// Renders in blocks of 1, 64 and 4096, and returns what all of them play.
    private func play(_ frames: Int, _ prepare: () throws -> Stage) throws -> Recorder {
        let recorder = try prepare().play(frames, .fixed(64))
        for plan in [BlockPlan.fixed(1), .fixed(4_096)] {
            #expect(try prepare().play(frames, plan).isIdentical(to: recorder), "\(plan)")
        }
        return recorder
    }

    @Test(
        "A change of tempo moves the boundary, and the ramp reaches it; too steep, it takes half a millisecond more",
        arguments: [(100.0, 144, 144), (119, 121, 121), (240, 60, 84), (60, 240, 240)], [0.0, 4])
    func tempo(change: (bpm: Double, frames: Int, rise: Int), ramp: Double) throws {
        let recorder = try play(120_000) {
            let (stage, _) = try stage()
            try stage.engine.transport.setTempo(
                Tempo(clamping: change.bpm), overBeats: ramp, at: FrameTime(Int64(middle)))
            return stage
        }
        var tempo = ReferenceTempo(frame: 0, beat: -4, tempo: 120, rate: 48_000)
        tempo.change(at: middle, to: change.bpm, ramp: ramp)
        let boundary = tempo.frame(of: 0)
        #expect(ramp > 0 ? abs(boundary - due) <= 1 : boundary == middle + change.frames)
        #expect(Stage.starts(recorder) == [boundary])
        let rise = ramp > 0 ? boundary - middle : change.rise
        let fault = Stage.fault(recorder, 0..<110_000, within: 1e-4) { frame in
            let level =
                frame < middle
                ? Stage.rise(frame, from: due - 240, over: 240)
                : 0.5 + 0.5 * Stage.rise(frame, from: middle, over: rise)
            return Stage.cosine(tempo.beat(at: frame) * Double(Stage.beat)) * level
        }
        #expect(fault == nil)
    }

    @Test("Where the boundary moves away by more than 5 ms, what came in fades out, and comes in anew")
    func farAway() throws {
        let recorder = try play(120_000) {
            let (stage, _) = try stage()
            try stage.engine.transport.setTempo(Tempo(clamping: 20), at: FrameTime(Int64(middle)))
            return stage
        }
        var tempo = ReferenceTempo(frame: 0, beat: -4, tempo: 120, rate: 48_000)
        tempo.change(at: middle, to: 20, ramp: 0)
        let boundary = middle + 720
        #expect(Stage.starts(recorder) == [boundary])
        let fault = Stage.fault(recorder, 0..<120_000, within: 1e-4) { frame in
            let first =
                frame < middle
                ? Stage.rise(frame, from: due - 240, over: 240) : 0.5 * (1 - Stage.rise(frame, from: middle, over: 240))
            let level = first + Stage.rise(frame, from: boundary - 240, over: 240)
            return Stage.cosine(tempo.beat(at: frame) * Double(Stage.beat)) * level
        }
        #expect(fault == nil)
    }

    @Test("A tempo ramp under way places the lead-in on the frames before its boundary")
    func inARamp() throws {
        let recorder = try play(140_000) {
            let (stage, _) = try stage()
            try stage.engine.transport.setTempo(Tempo(clamping: 180), overBeats: 8, at: FrameTime(20_000))
            return stage
        }
        var tempo = ReferenceTempo(frame: 0, beat: -4, tempo: 120, rate: 48_000)
        tempo.change(at: 20_000, to: 180, ramp: 8)
        let boundary = tempo.frame(of: 0)
        #expect(Stage.starts(recorder) == [boundary] && boundary < due - 1_000)
        let fault = Stage.fault(recorder, 0..<140_000, within: 1e-4) { frame in
            Stage.cosine(tempo.beat(at: frame) * Double(Stage.beat))
                * Stage.rise(frame, from: boundary - 240, over: 240)
        }
        #expect(fault == nil)
    }

    enum Cancel: String, CaseIterable {
        case stop, stopNow, transport, unload
    }

    @Test("A launch that is taken back fades out from where it is, and has never started", arguments: Cancel.allCases)
    func cancel(_ cancel: Cancel) throws {
        let (stage, clip) = try stage()
        let recorder = Recorder(stage.engine, frames: 110_000)
        recorder.render(middle)
        switch cancel {
        case .stop: try stage.engine.launcher.stop(TrackIndex(0))
        case .stopNow: try stage.engine.launcher.stopNow(TrackIndex(0))
        case .transport: try stage.engine.transport.stop()
        case .unload: try stage.engine.launcher.unload(clip)
        }
        recorder.render(110_000 - middle)
        let fault = Stage.fault(recorder, 0..<110_000) { frame in
            let level =
                frame < middle
                ? Stage.rise(frame, from: due - 240, over: 240) : 0.5 * (1 - Stage.rise(frame, from: middle, over: 240))
            return Stage.cosine(Double(frame - due)) * level
        }
        #expect(fault == nil)
        let isReported = recorder.events.contains { event in
            switch event.kind {
            case .launcher(.started), .launcher(.stopped): true
            default: false
            }
        }
        #expect(!isReported)
        #expect(stage.engine.state.voicesInUse == 0)
    }

    @Test("Another clip launched in the meantime comes in instead, over what is left")
    func replaced() throws {
        let recorder = try play(110_000) {
            let (stage, _) = try stage()
            let other = try stage.load(of: Stage.Wave { _ in 0.25 })
            try stage.engine.launcher.launch(other, at: FrameTime(Int64(middle)))
            return stage
        }
        let fault = Stage.fault(recorder, 0..<110_000) { frame in
            let level =
                frame < middle
                ? Stage.rise(frame, from: due - 240, over: 240) : 0.5 * (1 - Stage.rise(frame, from: middle, over: 240))
            return Stage.cosine(Double(frame - due)) * level + 0.25 * Stage.rise(frame, from: middle, over: 144)
        }
        #expect(fault == nil)
        #expect(Stage.starts(recorder) == [due])
    }

    @Test("The same launch again changes nothing, up to the boundary's own frame", arguments: [0, 100, 120])
    func again(after: Int) throws {
        func play(repeats: Bool) throws -> Recorder {
            let (stage, clip) = try stage()
            if repeats { try stage.engine.launcher.launch(clip, at: FrameTime(Int64(middle + after))) }
            return stage.play(110_000)
        }
        let (once, twice) = (try play(repeats: false), try play(repeats: true))
        #expect(once.left().elementsEqual(twice.left()))
        #expect(Stage.starts(twice) == [due])
    }

    @Test("A change of metre that moves the bar line takes the lead-in along")
    func metre() throws {
        let stage = Stage()
        let clip = try stage.load(frames: 3 * Stage.beat)
        try stage.engine.transport.start(at: FrameTime.zero)
        try stage.engine.launcher.launch(clip, at: FrameTime(10_000))
        // The bar line at beat 4 stays; from there on it is 3/4.
        try stage.engine.transport.setTimeSignature(try #require(TimeSignature(3, 4)), at: FrameTime(Int64(middle)))
        let recorder = stage.play(110_000)
        let fault = Stage.fault(recorder, 0..<110_000) { frame in
            Stage.cosine(Double(frame - due)) * Stage.rise(frame, from: due - 240, over: 240)
        }
        #expect(fault == nil)
    }

    @Test("Without a free voice there is no lead-in: the start is soft, or is refused as ever")
    func pool() throws {
        let stage = Stage(voices: 1)
        let clip = try stage.load()
        try stage.engine.launcher.launch(clip, at: FrameTime.zero)
        try stage.engine.launcher.launch(clip, at: FrameTime(100_000))
        let recorder = stage.play(200_000)
        #expect(Stage.starts(recorder) == [due])
        let refusal = recorder.events.first {
            $0.kind == .launcher(.voicesExhausted(clip: clip, track: TrackIndex(0)))
        }
        #expect(refusal?.frame.rawValue == Int64(2 * due))
        let fault = Stage.fault(recorder, 0..<200_000) { frame in
            Stage.cosine(Double(frame - due)) * Stage.rise(frame, from: due - 240, over: 240)
        }
        #expect(fault == nil)
    }

    @Test("A voice that comes free within the 5 ms is taken for what is left of them")
    func lateVoice() throws {
        let stage = Stage(voices: 1)
        let clip = try stage.load()
        let other = try stage.load(track: 1) { $0.quantization = Quantization.none }
        try stage.engine.launcher.launch(clip, at: FrameTime.zero)
        try stage.engine.launcher.launch(other, at: FrameTime(50_000))
        // It is silent 100 frames before the boundary.
        try stage.engine.launcher.stopNow(TrackIndex(1), at: FrameTime(Int64(due - 340)))
        let recorder = stage.play(100_000)
        #expect(Stage.starts(recorder) == [50_000, due])
        let fault = Stage.fault(recorder, due - 100..<100_000) { frame in
            Stage.cosine(Double(frame - due)) * Stage.rise(frame, from: due - 100, over: 124)
        }
        #expect(fault == nil)
    }
}
