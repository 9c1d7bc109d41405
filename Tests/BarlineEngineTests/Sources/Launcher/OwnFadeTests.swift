import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// Fades that a clip has of its own.
@Suite("A clip's own fades")
struct OwnFadeTests {
    private typealias Stage = StartStage
    private let due = LeadInTests.due

    @Test("A fade-in of 0 is the bare start")
    func bare() throws {
        let stage = Stage()
        try stage.engine.launcher.launch(try stage.load { $0.fadeIn = 0 }, at: FrameTime.zero)
        let recorder = stage.play(110_000)
        #expect(Stage.fault(recorder, 0..<110_000) { $0 < due ? 0 : Stage.cosine(Double($0 - due)) } == nil)
    }

    @Test(
        "A fade-in is as long as it says: what does not fit before the boundary follows it", arguments: [5_000, 300, 0])
    func fadeIn(room: Int) throws {
        let stage = Stage()
        let clip = try stage.load { $0.fadeIn = 0.02 }
        try stage.engine.transport.start(at: FrameTime.zero)
        try stage.engine.launcher.launch(clip, at: FrameTime(Int64(due - room)))
        let recorder = stage.play(110_000)
        let fault = Stage.fault(recorder, 0..<110_000) { frame in
            Stage.cosine(Double(frame - due)) * Stage.rise(frame, from: due - min(room, 960), over: 960)
        }
        #expect(fault == nil)
        #expect(Stage.starts(recorder) == [due])
    }

    @Test("A fade-out applies however the clip stops", arguments: [(0.05, 2_400), (0.001, 48), (0, 24)])
    func fadeOut(seconds: Double, frames: Int) throws {
        for way in 0..<3 {
            let stage = Stage()
            let clip = try stage.load {
                $0.fadeIn = 0
                $0.fadeOut = seconds
            }
            let silence = try stage.load(of: Stage.Wave { _ in 0 })
            try stage.engine.launcher.launch(clip, at: FrameTime.zero)
            switch way {
            case 0: try stage.engine.launcher.stop(TrackIndex(0), at: FrameTime(100_000))
            case 1: try stage.engine.launcher.stopNow(TrackIndex(0), at: FrameTime(Int64(2 * due)))
            default: try stage.engine.launcher.launch(silence, at: FrameTime(100_000))
            }
            let recorder = stage.play(220_000)
            let fault = Stage.fault(recorder, 0..<220_000) { frame in
                frame < due
                    ? 0 : Stage.cosine(Double(frame - due)) * (1 - Stage.rise(frame, from: 2 * due, over: frames))
            }
            #expect(fault == nil, "way \(way)")
        }
    }

    @Test("A clip that plays once fades out to its end", arguments: [(nil, 240), (0.1, 4_800), (0, 24)])
    func tail(seconds: Double?, frames: Int) throws {
        let stage = Stage()
        let clip = try stage.load {
            $0.loops = false
            $0.fadeIn = 0
            $0.fadeOut = seconds
        }
        try stage.engine.launcher.launch(clip, at: FrameTime.zero)
        let recorder = stage.play(130_000)
        let end = due + Stage.beat
        let fault = Stage.fault(recorder, 0..<130_000) { frame in
            if frame < due || frame >= end { return 0 }
            return Stage.cosine(Double(frame - due)) * (1 - Stage.rise(frame, from: end - frames, over: frames))
        }
        #expect(fault == nil)
    }

    @Test(
        "A clip that is shorter than its fades comes in before it goes",
        arguments: [(100, nil, 24), (2_400, 1.0, 24), (30, nil, 15)])
    func short(length: Int, seconds: Double?, rise: Int) throws {
        for plan in [BlockPlan.fixed(1), .fixed(64), .fixed(4_096)] {
            let stage = Stage()
            let clip = try stage.load(frames: length, of: Stage.Wave { _ in 0.5 }) {
                $0.loops = false
                $0.fadeOut = seconds
            }
            try stage.engine.launcher.launch(clip, at: FrameTime.zero)
            let recorder = stage.play(110_000, plan)
            let fault = Stage.fault(recorder, 0..<110_000) { frame in
                let top = 0.5 * Double(rise) / 24
                if frame < due + rise { return top * Stage.rise(frame, from: due, over: rise) }
                return top * (1 - Stage.rise(frame, from: due + rise, over: length - rise))
            }
            #expect(fault == nil, "\(plan)")
        }
    }

    @Test("Fades outside 0 to 10 s are refused", arguments: [-0.001, 10.1, .nan, .infinity])
    func refused(seconds: Double) throws {
        let stage = Stage()
        #expect(throws: EngineError.self) { try stage.load { $0.fadeIn = seconds } }
        #expect(throws: EngineError.self) { try stage.load { $0.fadeOut = seconds } }
    }
}
