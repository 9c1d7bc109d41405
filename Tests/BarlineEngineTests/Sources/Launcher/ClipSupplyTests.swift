import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

@Suite("Streamed clips whose file is slow", .serialized)
struct ClipSupplyTests {
    private static let sound = LongSound(7)
    private static let beats = Double(LongSound.frames) / 48_000

    /// An engine at the clip's own tempo that does not wait, as live, and the same from memory.
    private struct Stage {
        let sound: LongSound
        let window: ClipWindow
        let recorder: Recorder
        let clip: ClipHandle
        let reference: Recorder
        let referenceClip: ClipHandle

        init(_ change: (inout ClipSettings) -> Void = { _ in }) throws {
            sound = ClipSupplyTests.sound
            sound.hold(false)
            sound.cut(at: .max)
            window = sound.window()
            var settings = ClipSettings(track: TrackIndex(0), beats: ClipSupplyTests.beats)
            change(&settings)
            func stage(_ buffer: SampleBuffer) throws -> (Recorder, ClipHandle) {
                let engine = Engine(EngineConfiguration(trackCount: 1, voiceCount: 16, tempo: Tempo(clamping: 60)))
                let clip = try engine.launcher.load(buffer, settings: settings)
                return (Recorder(engine, frames: 60 * 48_000), clip)
            }
            (recorder, clip) = try stage(window.buffer)
            (reference, referenceClip) = try stage(sound.buffer)
        }

        func both(_ body: (Engine, ClipHandle) throws -> Void) rethrows {
            try body(recorder.engine, clip)
            try body(reference.engine, referenceClip)
        }

        /// Renders until something has happened, or for 2 s of the timeline, at the pace of a device.
        func play(until happened: (LauncherEvent) -> Bool) -> Int? {
            for _ in 0..<188 {
                recorder.render(512)
                Thread.sleep(forTimeInterval: 0.004)
                if let frame = frame(of: happened) { return frame }
            }
            return nil
        }

        func frame(of happened: (LauncherEvent) -> Bool) -> Int? {
            for event in recorder.events {
                if case .launcher(let kind) = event.kind, happened(kind) { return Int(event.frame.rawValue) }
            }
            return nil
        }

        var underrun: Int? {
            frame { if case .underrun = $0 { true } else { false } }
        }

        func isSame(_ frames: Range<Int>) -> Bool {
            frames.allSatisfy {
                recorder.left()[$0].bitPattern == reference.left()[$0].bitPattern
                    && recorder.right()[$0].bitPattern == reference.right()[$0].bitPattern
            }
        }

        func isSilent(_ frames: Range<Int>) -> Bool { frames.allSatisfy { recorder.left()[$0] == 0 } }
    }

    @Test("A clip whose frames don't come fades out, moves on, and fades in where it would have been")
    func underrun() throws {
        let stage = try Stage { $0.quantization = Quantization.none }
        stage.sound.hold(true)
        try stage.both { engine, clip in try engine.launcher.launch(clip) }
        stage.recorder.render(6 * 48_000)
        let gone = try #require(stage.underrun)
        // Two seconds are in memory from the start; the fade begins before they end.
        #expect(gone > 2 * 48_000)
        stage.sound.hold(false)
        let back = try #require(stage.play { if case .recovered = $0 { true } else { false } })
        stage.recorder.render(48_000)
        stage.reference.render(stage.recorder.frames)
        #expect(stage.isSame(0..<gone))
        #expect(stage.isSilent(gone + 240..<back))
        #expect(stage.isSame(back + 240..<stage.recorder.frames))
        for frame in gone..<gone + 240 {
            let level = 1 - Float(frame - gone) / 240
            #expect(abs(stage.recorder.left()[frame] - level * stage.reference.left()[frame]) < 1e-6)
        }
        for frame in back..<back + 240 {
            let level = Float(frame - back) / 240
            #expect(abs(stage.recorder.left()[frame] - level * stage.reference.left()[frame]) < 1e-6)
        }
    }

    @Test("A launch in phase that is queued starts on its frame, whole: its frames are read before its boundary")
    func prefetch() throws {
        let stage = try Stage { $0.startPosition = .synced }
        try stage.both { engine, clip in
            try engine.transport.start()
            try engine.launcher.launch(clip, at: FrameTime(20 * 48_000 - 20_000))
        }
        stage.recorder.render(20 * 48_000 - 20_000)
        _ = stage.play { if case .started = $0 { true } else { false } }
        stage.recorder.render(4_800)
        stage.reference.render(stage.recorder.frames)
        #expect(stage.frame { if case .started = $0 { true } else { false } } == 20 * 48_000)
        #expect(stage.underrun == nil)
        #expect(stage.isSame(0..<stage.recorder.frames))
        #expect(!stage.isSilent(20 * 48_000..<20 * 48_000 + 4_800))
    }

    @Test("A launch in phase that begins at once where nothing is in memory is heard as soon as it is, in phase")
    func immediate() throws {
        let stage = try Stage { settings in
            settings.startPosition = .synced
            settings.quantization = Quantization.none
        }
        let start = 20 * 48_000 + 100
        try stage.both { engine, clip in
            try engine.transport.start()
            try engine.launcher.launch(clip, at: FrameTime(Int64(start)))
        }
        stage.sound.hold(true)
        stage.recorder.render(21 * 48_000)
        #expect(stage.underrun == start)
        stage.sound.hold(false)
        let back = try #require(stage.play { if case .recovered = $0 { true } else { false } })
        stage.recorder.render(4_800)
        stage.reference.render(stage.recorder.frames)
        #expect(stage.isSilent(0..<back))
        #expect(stage.isSame(back + 240..<stage.recorder.frames))
    }

    @Test("A file that can't be read on is silent there, and says why")
    func lostFile() throws {
        let stage = try Stage { $0.quantization = Quantization.none }
        stage.sound.cut(at: 1_000_000)
        stage.recorder.engine.launcher.waitsForClips = true
        try stage.both { engine, clip in try engine.launcher.launch(clip) }
        stage.recorder.render(24 * 48_000)
        stage.reference.render(24 * 48_000)
        #expect(stage.isSame(0..<980_000))
        #expect(stage.isSilent(1_000_000..<24 * 48_000))
        #expect(stage.recorder.engine.launcher.streamProblems.keys.contains(stage.clip))
    }

    @Test("They are not recorded over, and not changed")
    func layers() throws {
        let stage = try Stage()
        let launcher = stage.recorder.engine.launcher
        let overdub = OverdubSettings(input: InputIndex(0))
        #expect(throws: EngineError.streamed(stage.clip)) { try launcher.overdub(stage.clip, overdub) }
        #expect(throws: EngineError.streamed(stage.clip)) { try launcher.changeLoop(of: stage.clip, .reverse) }
    }

    @Test("One whose pitch is kept is in memory as a whole")
    func stretched() throws {
        let stage = try Stage { $0.playback = .stretch }
        #expect(!stage.recorder.engine.launcher.isStreamed(stage.clip))
        stage.sound.hold(true)
        try stage.both { engine, clip in
            try engine.transport.setTempo(Tempo(clamping: 70))
            try engine.launcher.launch(clip)
        }
        stage.recorder.render(5 * 48_000)
        stage.reference.render(5 * 48_000)
        stage.sound.hold(false)
        #expect(stage.isSame(0..<5 * 48_000))
    }
}
