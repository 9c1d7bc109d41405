import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// A clip that starts on its boundary comes in over the 5 ms before it: its first frame is whole, and nothing steps.
@Suite("Starts on a boundary")
struct LeadInTests {
    /// The boundary of a launch at frame 0: one bar of count.
    static let due = 96_000
    private typealias Stage = StartStage

    @Test("A loop that begins on a crest steps no further than its own wave and the ramp")
    func crest() throws {
        let stage = Stage()
        try stage.engine.launcher.launch(try stage.load(), at: FrameTime.zero)
        let recorder = stage.play(130_000)
        let own = Stage.level * 2 * sin(.pi * 100 / 48_000)
        #expect(Stage.largestStep(recorder, 0..<130_000) <= own + Stage.level / 240 + 1e-6)
        #expect(recorder.left()[LeadInTests.due] == 0.5)
    }

    @Test("It is the loop's own end that leads up to its first frame, in a straight line, in every block size")
    func closedForm() throws {
        func play(_ plan: BlockPlan) throws -> Recorder {
            let stage = Stage()
            // A saw: the loop's end is unlike what lies before it in the file.
            let saw = Stage.Wave { $0 < 0 ? 0.9 : 0.4 - $0 / 40_000 }
            try stage.engine.launcher.launch(try stage.load(before: 500, of: saw), at: FrameTime.zero)
            return stage.play(110_000, plan)
        }
        let recorder = try play(.fixed(64))
        let due = LeadInTests.due
        let fault = Stage.fault(recorder, 0..<110_000) { frame in
            if frame < due - 240 { return 0 }
            let position = frame < due ? Stage.beat + frame - due : frame - due
            // Over its last 5 ms the loop blends into the frames before its start.
            let seam = Double(max(0, position - Stage.beat + 241)) / 240
            let own = 0.4 - Double(position) / 40_000
            return (own + seam * (0.9 - own)) * Stage.rise(frame, from: due - 240, over: 240)
        }
        #expect(fault == nil)
        for plan in [BlockPlan.fixed(1), .fixed(4_096), .mixed(seed: 4)] {
            #expect(try play(plan).isIdentical(to: recorder), "\(plan)")
        }
    }

    @Test("Until the boundary the launch is queued: no event, nothing playing")
    func stateBeforeTheBoundary() throws {
        let stage = Stage()
        let clip = try stage.load()
        try stage.engine.launcher.launch(clip, at: FrameTime.zero)
        let recorder = Recorder(stage.engine, frames: 100_000)
        recorder.render(LeadInTests.due - 100)
        let track = stage.engine.state.tracks[0]
        #expect(track.playing == nil && track.queued?.clip == clip && stage.engine.state.voicesInUse == 1)
        #expect(recorder.left()[LeadInTests.due - 110] != 0)
        #expect(Stage.starts(recorder).isEmpty)
        recorder.render(101)
        #expect(stage.engine.state.tracks[0].playing?.clip == clip && stage.engine.state.tracks[0].queued == nil)
        #expect(Stage.starts(recorder) == [LeadInTests.due])
    }

    @Test(
        "Where the boundary is nearer than 5 ms, what there is is taken, and half a millisecond after it",
        arguments: [239, 100, 24, 1, 0])
    func near(room: Int) throws {
        let stage = Stage()
        let clip = try stage.load()
        try stage.engine.transport.start(at: FrameTime.zero)
        try stage.engine.launcher.launch(clip, at: FrameTime(Int64(LeadInTests.due - room)))
        let recorder = stage.play(110_000)
        let due = LeadInTests.due
        let fault = Stage.fault(recorder, 0..<110_000) { frame in
            Stage.cosine(Double(frame - due)) * Stage.rise(frame, from: due - room, over: room + 24)
        }
        #expect(fault == nil)
        #expect(Stage.starts(recorder) == [due])
    }

    @Test("A first frame below −60 dB of the peak starts bare where nothing can lead up to it, one above does not")
    func silentFirstFrame() throws {
        for (first, rise) in [(0.000_49, 0), (0, 0), (0.000_51, 24), (0.5, 24)] {
            for (loops, room) in [(false, 5_000), (false, 0), (true, 0), (true, 200)] {
                let stage = Stage()
                let wave = Stage.Wave { $0 == 0 ? first : Stage.cosine($0) }
                let clip = try stage.load(of: wave) { $0.loops = loops }
                try stage.engine.transport.start(at: FrameTime.zero)
                try stage.engine.launcher.launch(clip, at: FrameTime(Int64(LeadInTests.due - room)))
                let recorder = stage.play(100_000)
                let due = LeadInTests.due
                let lead = loops && rise > 0 ? room : 0
                let fault = Stage.fault(recorder, 0..<100_000) { frame in
                    if frame < due - lead { return 0 }
                    let level = rise > 0 ? Stage.rise(frame, from: due - lead, over: lead + rise) : 1
                    return frame == due ? first * level : Stage.cosine(Double(frame - due)) * level
                }
                #expect(fault == nil, "\(first), loops \(loops), room \(room)")
            }
        }
    }

    @Test(
        "A region that plays once comes in from the file before it, as far as there is any",
        arguments: [(48_000.0, 4_800, 240), (48_000, 100, 100), (96_000, 100, 50)])
    func region(rate: Double, before: Int, lead: Int) throws {
        let stage = Stage()
        let ratio = rate / 48_000
        let samples = (-before..<48_000).map { Float(Stage.cosine(Double($0) / ratio)) }
        let buffer = SampleBuffer(left: samples, sampleRate: try #require(SampleRate(rate)))
        let clip = try stage.engine.launcher.load(
            buffer,
            settings: ClipSettings(
                track: TrackIndex(0), region: before..<before + 48_000, beats: 2 / ratio, loops: false))
        try stage.engine.launcher.launch(clip, at: FrameTime.zero)
        let recorder = stage.play(110_000)
        let due = LeadInTests.due
        // Near the file's first frame the interpolator has the silence before it too.
        let tolerance = ratio == 1 ? 2e-5 : 0.02
        let fault = Stage.fault(recorder, 0..<110_000, within: tolerance) { frame in
            Stage.cosine(Double(frame - due)) * Stage.rise(frame, from: due - lead, over: lead < 240 ? lead + 24 : lead)
        }
        #expect(fault == nil)
        #expect((0..<due - lead).allSatisfy { recorder.left()[$0] == 0 })
    }

    @Test("A retrigger comes in while the clip plays, which goes over the 5 ms that follow")
    func retrigger() throws {
        let stage = Stage()
        let clip = try stage.load(frames: 3 * Stage.beat)
        try stage.engine.launcher.launch(clip, at: FrameTime.zero)
        try stage.engine.launcher.launch(clip, at: FrameTime(100_000))
        let recorder = stage.play(220_000)
        let (first, second) = (LeadInTests.due, 2 * LeadInTests.due)
        #expect(Stage.starts(recorder) == [first, second])
        let fault = Stage.fault(recorder, 0..<220_000) { frame in
            let old = 1 - Stage.rise(frame, from: second, over: 240)
            return Stage.cosine(Double(frame - first)) * Stage.rise(frame, from: first - 240, over: 240) * old
                + Stage.cosine(Double(frame - second)) * Stage.rise(frame, from: second - 240, over: 240)
        }
        #expect(fault == nil)
    }

    @Test("Another clip of the track comes in while the first one is still whole")
    func exchange() throws {
        let stage = Stage()
        let first = try stage.load { $0.fadeIn = 0 }
        let second = try stage.load(of: Stage.Wave { _ in 0.25 })
        try stage.engine.launcher.launch(first, at: FrameTime.zero)
        try stage.engine.launcher.launch(second, at: FrameTime(100_000))
        let recorder = stage.play(200_000)
        let (start, change) = (LeadInTests.due, 2 * LeadInTests.due)
        let fault = Stage.fault(recorder, 0..<200_000) { frame in
            (frame < start ? 0 : Stage.cosine(Double(frame - start))) * (1 - Stage.rise(frame, from: change, over: 240))
                + 0.25 * Stage.rise(frame, from: change - 240, over: 240)
        }
        #expect(fault == nil)
        let stop = recorder.events.first { $0.kind == .launcher(.stopped(clip: first, track: TrackIndex(0))) }
        #expect(stop?.frame.rawValue == Int64(change))
    }
}
