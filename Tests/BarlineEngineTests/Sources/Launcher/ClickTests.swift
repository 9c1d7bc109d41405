import BarlineDSP
import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// Nothing that can be asked of the engine makes a click: on a sine, no step from one sample to the next is larger
/// than the sine's own at its rate and the share of a 5 ms ramp.
@Suite("No clicks")
struct ClickTests {
    /// Four tracks of sines, and what is done to them.
    struct Stage {
        let engine: Engine
        /// Looping sines on tracks 0 … 3; clips 4 and 5 are on track 0 too, clip 5 plays once.
        let clips: [ClipHandle]

        func at(_ frame: Int64) -> FrameTime { FrameTime(frame) }
    }

    struct Scenario: Sendable, CustomTestStringConvertible {
        let name: String
        /// Sines that may sound at once on one output.
        var voices = 1.0
        /// The fastest that a sine is read.
        var rate = 1.0
        /// Ramps that may move at once, in multiples of the sine's level.
        var ramps = 1.0
        let act: @Sendable (Stage) throws -> Void
        var testDescription: String { name }
    }

    static let level = 0.5
    /// Cycles a source frame: 64 cycles in the region.
    static let frequency = 64.0 / 19_200

    static func sine(frames: Int, phase: Double = 0, cycles: Double = 64, rate: SampleRate = .standard) -> SampleBuffer
    {
        let samples = (0..<frames).map { index in
            Float(level * sin(2 * Double.pi * (cycles * Double(index) / 19_200 + phase)))
        }
        return SampleBuffer(left: samples, sampleRate: rate)
    }

    static func settings(_ track: Int, loops: Bool = true, start: StartPosition = .fromStart) -> ClipSettings {
        ClipSettings(
            track: TrackIndex(track), region: 4_800..<24_000, beats: 0.8, loops: loops, startPosition: start,
            quantization: Quantization.none)
    }

    static func stage(phase: Double = 0) throws -> Stage {
        let engine = Engine(EngineConfiguration(trackCount: 4, busCount: 3, launchQuantization: .bars(1)))
        let sound = sine(frames: 30_000, phase: phase)
        var clips = try (0..<4).map { try engine.launcher.load(sound, settings: settings($0)) }
        clips.append(try engine.launcher.load(sound, settings: settings(0, start: .legato)))
        // This one ends with the file, on a crest.
        let once = ClipSettings(
            track: TrackIndex(0), region: 4_800..<24_075, beats: 0.803125, loops: false, quantization: Quantization.none
        )
        clips.append(try engine.launcher.load(sine(frames: 24_075, phase: phase), settings: once))
        return Stage(engine: engine, clips: clips)
    }

    static let scenarios: [Scenario] = [
        Scenario(name: "start on a boundary") { try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001)) },
        Scenario(name: "stop now") {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            try $0.engine.launcher.stopNow(TrackIndex(0), at: $0.at(20_077))
        },
        Scenario(name: "stop now twice, and again while fading") {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            for frame in [20_077, 20_077, 20_177] {
                try $0.engine.launcher.stopNow(TrackIndex(0), at: $0.at(Int64(frame)))
            }
        },
        Scenario(name: "retrigger", voices: 2, ramps: 1) {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            for frame in [5_077, 12_111, 20_033] { try $0.engine.launcher.launch($0.clips[0], at: $0.at(Int64(frame))) }
        },
        Scenario(name: "retrigger within the fade", voices: 4, ramps: 3) {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            for frame in [5_077, 5_111, 5_133] { try $0.engine.launcher.launch($0.clips[0], at: $0.at(Int64(frame))) }
        },
        Scenario(name: "legato to another clip", voices: 2, ramps: 2) {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            try $0.engine.launcher.launch($0.clips[4], at: $0.at(9_077))
        },
        Scenario(name: "the end of a clip that plays once") {
            try $0.engine.launcher.launch($0.clips[5], at: $0.at(1_001))
        },
        Scenario(name: "the end of a clip that plays once, as the tempo falls", rate: 1) {
            try $0.engine.launcher.launch($0.clips[5], at: $0.at(1_001))
            try $0.engine.transport.setTempo(Tempo(clamping: 60), at: $0.at(20_151))
        },
        Scenario(name: "the end of a clip that plays once, as the tempo rises", rate: 2, ramps: 2) {
            try $0.engine.launcher.launch($0.clips[5], at: $0.at(1_001))
            try $0.engine.transport.setTempo(Tempo(clamping: 240), at: $0.at(20_151))
        },
        Scenario(name: "stop in the last 5 ms of a clip that plays once", rate: 1) {
            try $0.engine.launcher.launch($0.clips[5], at: $0.at(1_001))
            try $0.engine.launcher.stopNow(TrackIndex(0), at: $0.at(20_100))
        },
        Scenario(name: "stop in the last 5 ms, and a tempo change", rate: 1) {
            try $0.engine.launcher.launch($0.clips[5], at: $0.at(1_001))
            try $0.engine.launcher.stopNow(TrackIndex(0), at: $0.at(20_100))
            try $0.engine.transport.setTempo(Tempo(clamping: 100), at: $0.at(20_110))
        },
        Scenario(name: "tempo changes", rate: 2) {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            try $0.engine.transport.setTempo(Tempo(clamping: 240), at: $0.at(9_000))
            try $0.engine.transport.setTempo(Tempo(clamping: 37.7), at: $0.at(13_001))
            try $0.engine.transport.setTempo(Tempo(clamping: 121), at: $0.at(23_011))
        },
        Scenario(name: "tempo ramps", rate: 2) {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            try $0.engine.transport.setTempo(Tempo(clamping: 240), overBeats: 0.5, at: $0.at(9_000))
            try $0.engine.transport.setTempo(Tempo(clamping: 50), overBeats: 0.3, at: $0.at(13_001))
            try $0.engine.transport.setTempo(Tempo(clamping: 120), overBeats: 4, at: $0.at(25_001))
        },
        Scenario(name: "stop of the transport in a ramp", rate: 2) {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            try $0.engine.transport.setTempo(Tempo(clamping: 240), overBeats: 1, at: $0.at(9_000))
            try $0.engine.transport.stop(at: $0.at(19_011))
        },
        Scenario(name: "stop and start of the transport at once", voices: 2, rate: 2) {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            try $0.engine.transport.setTempo(Tempo(clamping: 240), overBeats: 1, at: $0.at(9_000))
            try $0.engine.transport.stop(at: $0.at(19_011))
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(19_011))
            try $0.engine.transport.setTempo(Tempo(clamping: 100), overBeats: 1, at: $0.at(19_061))
            try $0.engine.transport.stop(at: $0.at(19_100))
            try $0.engine.transport.start(at: $0.at(19_150))
        },
        Scenario(name: "mute and unmute") {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            for (index, frame) in [9_000, 9_100, 12_000, 20_000].enumerated() {
                try $0.engine.mixer[.track(TrackIndex(0))].setMute(index % 2 == 0, at: $0.at(Int64(frame)))
            }
        },
        Scenario(name: "solo of another track", voices: 2, ramps: 2) {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            try $0.engine.launcher.launch($0.clips[1], at: $0.at(1_001))
            try $0.engine.mixer[.track(TrackIndex(1))].setSolo(true, at: $0.at(9_077))
            try $0.engine.mixer[.track(TrackIndex(0))].setSolo(true, at: $0.at(15_077))
            try $0.engine.mixer[.track(TrackIndex(1))].setSolo(false, at: $0.at(20_077))
        },
        Scenario(name: "track, clip and bus gain", ramps: 3) {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            try $0.engine.mixer[.track(TrackIndex(0))].setGain(Decibels(-6), at: $0.at(5_077))
            try $0.engine.launcher.setGain(.silence, of: $0.clips[0], at: $0.at(8_077))
            try $0.engine.launcher.setGain(.unity, of: $0.clips[0], at: $0.at(9_077))
            try $0.engine.mixer[.track(TrackIndex(0))].setGain(.unity, at: $0.at(9_077))
            try $0.engine.mixer[.main].setGain(.silence, at: $0.at(12_077))
        },
        Scenario(name: "pan") {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            for (pan, frame) in [(-1.0, 5_077), (1, 9_033), (0.3, 9_100), (0, 15_000)] {
                try $0.engine.mixer[.track(TrackIndex(0))].setPan(pan, at: $0.at(Int64(frame)))
            }
        },
        Scenario(name: "a change of bus") {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            try $0.engine.mixer[.track(TrackIndex(0))].setBus(BusIndex(1), at: $0.at(9_077))
        },
        Scenario(name: "changes of bus within the fade") {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            try $0.engine.mixer[.track(TrackIndex(0))].setBus(BusIndex(1), at: $0.at(9_077))
            try $0.engine.mixer[.track(TrackIndex(0))].setBus(BusIndex.main, at: $0.at(9_177))
        },
        Scenario(name: "a change to a third bus within the fade") {
            try $0.engine.launcher.launch($0.clips[0], at: $0.at(1_001))
            try $0.engine.mixer[.track(TrackIndex(0))].setBus(BusIndex(1), at: $0.at(9_077))
            try $0.engine.mixer[.track(TrackIndex(0))].setBus(BusIndex(2), at: $0.at(9_177))
        },
    ]

    private func largestStep(_ recorder: Recorder) -> (step: Double, frame: Int) {
        var worst = (step: 0.0, frame: 0)
        for bus in 0..<3 {
            for samples in [recorder.left(bus: bus), recorder.right(bus: bus)] {
                for frame in 1..<samples.count {
                    let step = abs(Double(samples[frame]) - Double(samples[frame - 1]))
                    if step > worst.step { worst = (step, frame) }
                }
            }
        }
        return worst
    }

    private func limit(_ scenario: Scenario) -> Double {
        let sine = ClickTests.level * 2 * Double.pi * ClickTests.frequency * scenario.rate
        return scenario.voices * sine * 1.001 + scenario.ramps * ClickTests.level / 240 + 1e-5
    }

    @Test("Steps stay below those of the sine and the ramp", arguments: scenarios, [0, 0.25])
    func stepsStaySmall(scenario: Scenario, phase: Double) throws {
        let stage = try ClickTests.stage(phase: phase)
        try scenario.act(stage)
        let recorder = Recorder(stage.engine, frames: 40_000)
        recorder.render(40_000, .mixed(seed: 8))
        let worst = largestStep(recorder)
        // On a crest, a start at once takes half a millisecond.
        let rise = phase == 0 ? 0 : ClickTests.level / 24
        #expect(worst.step <= limit(scenario) + rise, "at frame \(worst.frame)")
        #expect(recorder.left().contains { abs($0) > 0.1 })
    }

    enum Exchange: String, CaseIterable {
        case sameSamples, otherSamples, onceForLoop, loopForOnce, otherTrack, unsynced, unload, shorter
    }

    @Test("Replacing and unloading a playing clip", arguments: Exchange.allCases)
    func exchanges(exchange: Exchange) throws {
        let stage = try ClickTests.stage()
        let clip = exchange == .loopForOnce ? stage.clips[5] : stage.clips[0]
        try stage.engine.launcher.launch(clip, at: FrameTime(1_001))
        let recorder = Recorder(stage.engine, frames: 40_000)
        recorder.render(9_077, .mixed(seed: 8))
        let other = ClickTests.sine(frames: 30_000, phase: 0.3)
        switch exchange {
        case .sameSamples, .loopForOnce:
            try stage.engine.launcher.replace(
                clip, with: ClickTests.sine(frames: 30_000), settings: ClickTests.settings(0))
        case .otherSamples: try stage.engine.launcher.replace(clip, with: other, settings: ClickTests.settings(0))
        case .onceForLoop:
            try stage.engine.launcher.replace(clip, with: other, settings: ClickTests.settings(0, loops: false))
        case .otherTrack: try stage.engine.launcher.replace(clip, with: other, settings: ClickTests.settings(2))
        case .unsynced:
            var settings = ClickTests.settings(0)
            settings.playback = .original
            try stage.engine.launcher.replace(clip, with: other, settings: settings)
        case .unload: try stage.engine.launcher.unload(clip)
        case .shorter:
            var settings = ClickTests.settings(0, loops: false)
            settings.region = 4_800..<9_600
            settings.beats = 0.2
            try stage.engine.launcher.replace(clip, with: other, settings: settings)
        }
        recorder.render(30_923, .mixed(seed: 9))
        let worst = largestStep(recorder)
        #expect(worst.step <= limit(Scenario(name: "", voices: 2, ramps: 2) { _ in }), "at frame \(worst.frame)")
        if [.loopForOnce, .sameSamples, .unsynced].contains(exchange) {
            #expect(recorder.left()[35_000..<40_000].contains { abs($0) > 0.4 })
        } else if exchange != .otherSamples {
            #expect(recorder.left()[35_000..<40_000].allSatisfy { $0 == 0 })
        }
    }

    @Test("A change of sample rate keeps the waveform together")
    func sampleRateChange() throws {
        let stage = try ClickTests.stage()
        try stage.engine.launcher.launch(stage.clips[0], at: FrameTime(1_001))
        let recorder = Recorder(stage.engine, frames: 40_000)
        recorder.render(9_077)
        stage.engine.setSampleRate(try #require(SampleRate(44_100)))
        recorder.render(30_923)
        let worst = largestStep(recorder)
        #expect(worst.step <= limit(Scenario(name: "", rate: 48 / 44.1) { _ in }), "at frame \(worst.frame)")
    }

    @Test("A loop whose ends do not meet has no step at its seam", arguments: [0, 4_800])
    func seam(before: Int) throws {
        let engine = Engine(EngineConfiguration(trackCount: 1, launchQuantization: .none, firstLaunch: .immediate))
        // A little over a third of a cycle beyond a whole number.
        let settings = ClipSettings(track: TrackIndex(0), region: before..<before + 9_710, beats: 9_710.0 / 24_000)
        let clip = try engine.launcher.load(ClickTests.sine(frames: 24_000), settings: settings)
        try engine.launcher.launch(clip, at: FrameTime.zero)
        let recorder = Recorder(engine, frames: 40_000)
        recorder.render(40_000)
        let own = ClickTests.level * 2 * Double.pi * ClickTests.frequency
        var worst = 0.0
        for frame in 1..<40_000 {
            worst = max(worst, abs(Double(recorder.left()[frame]) - Double(recorder.left()[frame - 1])))
        }
        #expect(worst <= own * 1.001 + 2 * ClickTests.level / 240 + 1e-5)
    }
}
