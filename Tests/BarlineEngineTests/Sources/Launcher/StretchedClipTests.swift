import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

@Suite("Clips whose pitch is kept")
struct StretchedClipTests {
    // MARK: Blocks, events

    /// A storm in which about half the clips keep their pitch.
    private static func storm(seed: UInt64, rate: Double) -> Script {
        var script = RandomScript.make(seed: seed, rate: rate, seconds: 6)
        var random = TestRandom(seed: seed)
        for index in script.setup.clips.indices where random.chance(0.6) {
            script.setup.clips[index].isStretched = true
            script.setup.clips[index].stretchMode = random.pick(StretchMode.allCases)
            script.setup.clips[index].transposition = random.pick([0, 0, 7, -12.25])
            script.setup.clips[index].stretch = StretchParameters(
                kept: random.pick([0.8, 0.8, 0.4, 1]), decay: random.pick([nil, nil, 0.3]),
                cutRise: random.pick([0, 0, 3]), grain: random.pick(GrainLength.allCases),
                formants: random.pick([nil, nil, nil, 0]))
            let frames = script.setup.clips[index].frames
            script.setup.clips[index].onsets = (0..<random.int(0...12)).map { _ in random.int(0...frames - 1) }.sorted()
        }
        return script
    }

    @Test(
        "Random performances of both kinds of clips are bit-identical in all block sizes",
        arguments: [44_100.0, 48_000])
    func blocks(rate: Double) throws {
        for seed in UInt64(1)...4 {
            let script = Self.storm(seed: seed, rate: rate)
            let reference = Recorder(try script.engine(), frames: script.length, keepsTracks: true)
            reference.render(script.length, .fixed(64))
            for plan in [BlockPlan.fixed(1), .fixed(4096), .mixed(seed: 3)] {
                let recorder = Recorder(try script.engine(), frames: script.length, keepsTracks: true)
                defer { withExtendedLifetime(recorder) {} }
                recorder.render(script.length, plan)
                if !recorder.isIdentical(to: reference) {
                    Issue.record("\(plan) differ from blocks of 64\n\(script)")
                    return
                }
            }
            #expect(reference.left().allSatisfy { $0.isFinite && abs($0) < 16 })
        }
    }

    @Test("What is out of its range is refused")
    func parameterRefusals() throws {
        let engine = Self.engine(tempo: 120)
        let buffer = SampleBuffer(left: Self.drums(), sampleRate: .standard)
        for wrong in [
            StretchParameters(kept: 0.05), StretchParameters(kept: .nan), StretchParameters(decay: 0),
            StretchParameters(cutRise: -1), StretchParameters(formants: 25),
        ] {
            #expect(throws: EngineError.self, "\(wrong)") {
                try engine.launcher.load(
                    buffer, settings: ClipSettings(track: 0, beats: 4, playback: .stretch, stretch: wrong))
            }
        }
    }

    @Test("Formants that stay where they are leave an untransposed clip what it is, bit for bit")
    func idleFormants() throws {
        func render(_ stretch: StretchParameters) throws -> [Float] {
            let engine = Self.engine(tempo: 120)
            let clip = try engine.launcher.load(
                SampleBuffer(left: Self.drums(), sampleRate: .standard),
                settings: ClipSettings(
                    track: 0, beats: 4, playback: .stretch, stretch: stretch, onsets: Self.hits))
            let recorder = Recorder(engine, frames: 96_000)
            defer { withExtendedLifetime(recorder) {} }
            try engine.launcher.launch(clip)
            recorder.render(96_000)
            return Array(recorder.left())
        }
        let plain = try render(StretchParameters())
        let kept = try render(StretchParameters(formants: 0))
        let moved = try render(StretchParameters(formants: 5))
        let isSame = kept == plain
        let isMoved = moved != plain
        #expect(isSame && isMoved)
    }

    @Test(
        "A clip sounds the same whatever was launched on other tracks, before it or after",
        arguments: StretchMode.allCases)
    func company(mode: StretchMode) throws {
        func render(_ order: [Int]) throws -> [Float] {
            let engine = Self.engine(tempo: 90, tracks: 3)
            let clips = try (0..<3).map { track in
                try engine.launcher.load(
                    SampleBuffer(left: Self.drums(), sampleRate: .standard),
                    settings: ClipSettings(
                        track: TrackIndex(track), beats: 4, playback: .stretch, stretchMode: mode, onsets: Self.hits))
            }
            let recorder = Recorder(engine, frames: 200_000, keepsTracks: true)
            defer { withExtendedLifetime(recorder) {} }
            for track in order { try engine.launcher.launch(clips[track], at: FrameTime(100)) }
            recorder.render(200_000)
            return Array(recorder.left(track: 1))
        }
        let alone = try render([1])
        #expect(alone.contains { abs($0) > 0.1 })
        for order in [[0, 1], [1, 0], [2, 0, 1]] {
            let together = try render(order)
            #expect((together == alone) as Bool, "\(order)")
        }
    }

    @Test("An attack that rises less than the cut asks for is weak: what sounds before it is not cut off")
    func weakAttacks() {
        // The level doubles at one frame, 6 dB, and rises by 20 dB at another.
        var sound = [Float](repeating: 0.02, count: 96_000)
        for frame in 24_000..<48_000 { sound[frame] = 0.04 }
        for frame in 60_000..<96_000 { sound[frame] = 0.2 }
        let buffer = SampleBuffer(left: sound, sampleRate: .standard)
        func onsets(_ cut: Double) -> (cut: [Int], weak: [Int]) {
            let settings = ClipSettings(
                track: 0, beats: 4, playback: .stretch, stretch: StretchParameters(cutRise: cut),
                onsets: [24_000, 60_000])
            let range = 0..<96_000
            return (settings.cutOnsets(in: range, of: buffer), settings.weakOnsets(in: range, of: buffer))
        }
        #expect(onsets(0) == ([24_000, 60_000], []))
        #expect(onsets(5.9) == ([24_000, 60_000], []))
        #expect(onsets(6.1) == ([60_000], [24_000]))
        #expect(onsets(21) == ([], [24_000, 60_000]))
    }

    @Test("They start, wrap, and stop when the others do")
    func events() throws {
        for seed in UInt64(11)...18 {
            let script = Self.storm(seed: seed, rate: 48_000)
            let recorder = Recorder(try script.engine(), frames: script.length)
            defer { withExtendedLifetime(recorder) {} }
            recorder.render(script.length)
            if let difference = Script.difference(recorder.events, script.model()) {
                Issue.record("\(difference)\n\(script)")
                return
            }
        }
    }

    // MARK: Sound

    private static let hits = (0..<8).map { $0 * 12_000 + ($0 % 2 == 1 ? 1_500 : 0) }

    /// Two bars' worth of hits at 120 BPM, each the noise of its place with a decay of 10 ms.
    private static func drums() -> [Float] {
        var sound = [Float](repeating: 0, count: 96_000)
        for (index, hit) in hits.enumerated() {
            var random = TestRandom(seed: UInt64(index + 1))
            for offset in 0..<6_000 {
                sound[hit + offset] = Float(random.double(-0.8...0.8) * exp(-Double(offset) / 500))
            }
        }
        return sound
    }

    private static func engine(tempo: Double, tracks: Int = 1) -> Engine {
        Engine(
            EngineConfiguration(
                trackCount: tracks, tempo: Tempo(clamping: tempo), firstLaunch: .immediate))
    }

    /// How many frames after `frame` the attack of `sound` at `hit` is heard.
    private static func lag(_ output: UnsafeBufferPointer<Float>, _ frame: Int, _ sound: [Float], _ hit: Int) -> Int {
        var best = (lag: Int.max, value: -Double.infinity)
        for lag in -150...150 where frame + lag >= 0 && frame + lag + 600 < output.count {
            var (product, energy) = (0.0, 1e-12)
            for index in 0..<600 {
                product += Double(sound[hit + index] * output[frame + lag + index])
                energy += Double(output[frame + lag + index] * output[frame + lag + index])
            }
            if product / energy.squareRoot() > best.value { best = (lag, product / energy.squareRoot()) }
        }
        return best.lag
    }

    private static func check(_ recorder: Recorder, _ map: borrowing TempoMap, _ sound: [Float], after: Int = 0) {
        let output = recorder.left()
        for cycle in 0..<20 {
            for (index, hit) in hits.enumerated() {
                let beat = Beat(rawValue: Double(cycle) * 4 + Double(hit) / 24_000)
                let frame = Int(map.frame(of: beat).rawValue)
                if frame < after || frame + 1_000 > output.count { continue }
                let lag = lag(output, frame, sound, hit)
                #expect(abs(lag) <= 1, "turn \(cycle), hit \(index) at \(frame): \(lag)")
            }
        }
    }

    @Test("Attacks fall on the frames of their beats, at every tempo", arguments: [75.0, 96, 117.3, 150, 220])
    func beats(tempo: Double) throws {
        let engine = Self.engine(tempo: tempo)
        let sound = Self.drums()
        let clip = try engine.launcher.load(
            SampleBuffer(left: sound, sampleRate: .standard),
            settings: ClipSettings(track: 0, beats: 4, playback: .stretch, onsets: Self.hits))
        try engine.launcher.launch(clip)
        let recorder = Recorder(engine, frames: 300_000)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(300_000)
        Self.check(recorder, TempoMap(tempo: Tempo(clamping: tempo), sampleRate: .standard), sound)
    }

    @Test("After a step of the tempo they do again within 50 ms, and all along a ramp")
    func tempoChanges() throws {
        let sound = Self.drums()
        for (tempo, ramp) in [(140.0, 0.0), (90, 0), (160, 8), (80, 6)] {
            let engine = Self.engine(tempo: 120)
            let clip = try engine.launcher.load(
                SampleBuffer(left: sound, sampleRate: .standard),
                settings: ClipSettings(track: 0, beats: 4, playback: .stretch, onsets: Self.hits))
            try engine.launcher.launch(clip)
            let change = FrameTime(57_001)
            try engine.transport.setTempo(Tempo(clamping: tempo), overBeats: ramp, at: change)
            let recorder = Recorder(engine, frames: 400_000)
            defer { withExtendedLifetime(recorder) {} }
            recorder.render(400_000)
            var map = TempoMap(tempo: Tempo(clamping: 120), sampleRate: .standard)
            map.change(at: change, to: Tempo(clamping: tempo), overBeats: ramp)
            Self.check(recorder, map, sound, after: 57_001 + 2_400)
        }
    }

    @Test("At its own tempo a clip is the copy of itself that varispeed plays")
    func copies() throws {
        let sound = Self.drums()
        let recorders = try [Playback.repitch, .stretch].map { playback in
            let engine = Self.engine(tempo: 120)
            let clip = try engine.launcher.load(
                SampleBuffer(left: sound, sampleRate: .standard),
                settings: ClipSettings(track: 0, beats: 4, playback: playback, onsets: Self.hits))
            try engine.launcher.launch(clip)
            let recorder = Recorder(engine, frames: 300_000)
            defer { withExtendedLifetime(recorder) {} }
            recorder.render(300_000)
            return recorder
        }
        withExtendedLifetime(recorders) {
            #expect(recorders[0].left().elementsEqual(recorders[1].left()))
            #expect(recorders[0].right().elementsEqual(recorders[1].right()))
            #expect(recorders[1].left().contains { $0 > 0.1 })
        }
    }

    /// The frequency of the strongest partial of a clip of 440 Hz, from its zero crossings.
    private static func frequency(_ recorder: Recorder, _ range: Range<Int>, rate: Double) -> Double {
        let samples = recorder.left()
        var crossings: [Double] = []
        for frame in range where samples[frame] < 0 && samples[frame + 1] >= 0 {
            let part = Double(samples[frame] / (samples[frame] - samples[frame + 1]))
            crossings.append(Double(frame) + part)
        }
        guard let first = crossings.first, let last = crossings.last else { return 0 }
        return Double(crossings.count - 1) / (last - first) * rate
    }

    @Test(
        "Pitch is the transposition's alone, at any tempo and sample rate",
        arguments: [(90.0, 0.0), (150, 0), (120, 12), (90, -7.5), (140, 0.31)])
    func pitch(tempo: Double, transposition: Double) throws {
        for sourceRate in [48_000.0, 44_100, 96_000] {
            let engine = Self.engine(tempo: tempo)
            let frames = Int(4 * sourceRate)
            let sound = (0..<frames).map { Float(0.5 * sin(2 * .pi * 440 * Double($0) / sourceRate)) }
            let clip = try engine.launcher.load(
                SampleBuffer(left: sound, sampleRate: SampleRate(sourceRate) ?? .standard),
                settings: ClipSettings(track: 0, beats: 8, playback: .stretch, transposition: transposition))
            try engine.launcher.launch(clip)
            let recorder = Recorder(engine, frames: 100_000)
            defer { withExtendedLifetime(recorder) {} }
            recorder.render(100_000)
            let expected = 440 * pow(2, transposition / 12)
            let heard = Self.frequency(recorder, 10_000..<90_000, rate: 48_000)
            #expect(abs(1_200 * log2(heard / expected)) < 1, "\(sourceRate): \(heard) Hz, not \(expected)")
        }
    }

    @Test("A device of another sample rate changes neither pitch nor place")
    func sampleRates() throws {
        let engine = Self.engine(tempo: 100)
        let sound = (0..<192_000).map { Float(0.5 * sin(2 * .pi * 440 * Double($0) / 48_000)) }
        let clip = try engine.launcher.load(
            SampleBuffer(left: sound, sampleRate: .standard),
            settings: ClipSettings(track: 0, beats: 8, playback: .stretch))
        try engine.launcher.launch(clip)
        let recorder = Recorder(engine, frames: 140_000)
        defer { withExtendedLifetime(recorder) {} }
        recorder.render(40_000)
        engine.setSampleRate(SampleRate(44_100) ?? .standard)
        recorder.render(100_000)
        let heard = Self.frequency(recorder, 50_000..<130_000, rate: 44_100)
        #expect(abs(1_200 * log2(heard / 440)) < 1, "\(heard) Hz")
    }

    @Test("Clips launched on one frame compute in turn: at most twice the mean in a block of 64 frames")
    func work() throws {
        let engine = Self.engine(tempo: 97, tracks: 64)
        let buffer = SampleBuffer(left: Self.drums(), sampleRate: .standard)
        for track in 0..<64 {
            let clip = try engine.launcher.load(
                buffer,
                settings: ClipSettings(track: TrackIndex(track), beats: 4, playback: .stretch, onsets: Self.hits))
            try engine.launcher.launch(clip)
        }
        let pool = try #require(engine.control.withLock { $0.stretching }).pool
        func transforms() -> Int64 {
            (0..<pool.pointee.voiceCount).reduce(0) { $0 + pool.pointee.voices[$1].transformCount }
        }
        var counts: [Int64] = []
        let recorder = Recorder(engine, frames: 192_000)
        defer { withExtendedLifetime(recorder) {} }
        for _ in 0..<3_000 {
            let before = transforms()
            recorder.render(64, .fixed(64))
            counts.append(transforms() - before)
        }
        let mean = Double(counts.reduce(0, +)) / Double(counts.count)
        #expect(Double(counts.max() ?? 0) <= 2 * mean, "\(counts.max() ?? 0) transforms, \(mean) in the mean")
        // A grain at a time: of four voices in a block, or six where attacks coincide, five transforms at most.
        #expect(counts.allSatisfy { $0 <= 6 * 5 })
    }

    @Test("A transposition beyond two octaves is refused")
    func refusals() {
        let engine = Self.engine(tempo: 120)
        #expect(throws: EngineError.invalidValue(name: "transposition", value: 24.5)) {
            try engine.launcher.load(
                SampleBuffer(left: [0], sampleRate: .standard),
                settings: ClipSettings(track: 0, beats: 4, playback: .stretch, transposition: 24.5))
        }
    }
}
