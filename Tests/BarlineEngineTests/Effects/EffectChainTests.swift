import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Effects in strips and buses: what they do while they come, go, move and are set.
@Suite("Effects in the mixer")
struct EffectChainTests {
    private func frame(_ number: Int) -> FrameTime { FrameTime(Int64(number)) }

    @Test("A filter in a track, or in the bus, is heard as it is heard by itself")
    func places() throws {
        let alone = FilterBench(cutoff: 700, resonance: 3, mode: .bandpass, rate: 48_000)
        let expected = alone.filtered(try EffectStage.tone().left(9_600))
        for point in [EffectStage.track, .bus(.main)] {
            let stage = try EffectStage.tone()
            try stage.engine.mixer.insert(EffectStage.filter(cutoff: 700, resonance: 3, mode: .bandpass), on: point)
            #expect((stage.left(9_600) == expected) as Bool)
        }
    }

    @Test("Bypassed, or on another channel, it changes no bit; and none after it was taken out")
    func transparency() throws {
        let dry = try EffectStage.tone().left(48_000)
        let bypassed = try EffectStage.tone()
        try bypassed.engine.mixer.insert(EffectStage.filter(isBypassed: true), on: EffectStage.track)
        try bypassed.engine.mixer.insert(EffectStage.filter(), on: .channel(.track(TrackIndex(1))))
        try bypassed.engine.mixer.insert(EffectStage.filter(), on: .bus(BusIndex(1)))
        #expect(zip(bypassed.left(48_000), dry).allSatisfy { $0.bitPattern == $1.bitPattern })

        let passing = try EffectStage.tone()
        let effect = try passing.engine.mixer.insert(
            EffectStage.filter(cutoff: 50), on: EffectStage.track, at: frame(4_000))
        try passing.engine.mixer.setBypass(true, of: effect, at: frame(8_000))
        try passing.engine.mixer.setBypass(false, of: effect, at: frame(12_000))
        try passing.engine.mixer.remove(effect, at: frame(16_000))
        let sound = passing.left(48_000)
        for (range, isEqual) in [
            (0..<4_000, true), (4_240..<8_000, false), (8_240..<12_000, true), (12_240..<16_000, false),
            (16_240..<48_000, true),
        ] {
            let equal = range.allSatisfy { sound[$0].bitPattern == dry[$0].bitPattern }
            #expect(equal == isEqual, "\(range)")
        }
    }

    @Test("Nothing that is done to an effect while it plays makes a step")
    func steps() throws {
        let stage = try EffectStage.tone()
        let engine = stage.engine
        var effect = try engine.mixer.insert(EffectStage.filter(cutoff: 60), on: EffectStage.track, at: frame(10_007))
        try engine.mixer.set("cutoff", of: effect, to: 8_000, at: frame(20_011))
        try engine.mixer.set("mode", of: effect, to: 1, at: frame(30_013))
        try engine.mixer.set("mode", of: effect, to: 0, at: frame(40_009))
        try engine.mixer.set("cutoff", of: effect, to: 100, at: frame(50_021))
        try engine.mixer.set("resonance", of: effect, to: 6, at: frame(60_017))
        try engine.mixer.setBypass(true, of: effect, at: frame(70_001))
        try engine.mixer.setBypass(false, of: effect, at: frame(80_003))
        effect = try engine.mixer.replace(
            effect, with: EffectStage.filter(cutoff: 3_000, mode: .highpass), at: frame(90_007))
        try engine.mixer.insert(EffectStage.filter(cutoff: 90), on: EffectStage.track, before: 0, at: frame(100_019))
        try engine.mixer.move(effect, to: 0, at: frame(110_017))
        try engine.mixer.remove(effect, at: frame(120_011))
        let sound = stage.left(130_000)
        let largest = zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? .infinity
        // The tone itself moves by 0.0065 a frame, its sixfold at resonance by 0.04, a fade between two such by 0.03
        // more; a step would be some tenths.
        #expect(largest < 0.08, "\(largest)")
        #expect(largest > 0.006)
    }

    @Test("The device's block size never shows", arguments: [44_100.0, 96_000])
    func blockSizes(rate: Double) throws {
        func stage(seed: UInt64) throws -> EffectStage {
            var noise = TestRandom(seed: 5)
            let stage = try EffectStage(rate: rate, seconds: 0.7) { _ in noise.double(-1...1) }
            var random = TestRandom(seed: seed)
            var effects: [EffectHandle] = []
            var frames: [Int] = []
            for _ in 0..<120 { frames.append(random.int(0...60_000)) }
            for place in frames.sorted() {
                let at = frame(place)
                let effect = effects.isEmpty ? nil : random.pick(effects)
                let point = random.pick([EffectStage.track, .bus(.main)])
                let settings = EffectStage.filter(
                    cutoff: random.double(20...20_000), resonance: random.double(0.5...20),
                    mode: random.pick(FilterMode.allCases), isBypassed: random.chance(0.2))
                switch (random.int(0...6), effect) {
                case (0, _), (_, nil):
                    if effects.count < 8 { effects.append(try stage.engine.mixer.insert(settings, on: point, at: at)) }
                case (1, let effect?):
                    effects.removeAll { $0 == effect }
                    try stage.engine.mixer.remove(effect, at: at)
                case (2, let effect?):
                    effects.removeAll { $0 == effect }
                    effects.append(try stage.engine.mixer.replace(effect, with: settings, at: at))
                case (3, let effect?): try stage.engine.mixer.move(effect, to: random.int(0...3), at: at)
                case (4, let effect?): try stage.engine.mixer.setBypass(random.chance(0.5), of: effect, at: at)
                case (5, let effect?):
                    try stage.engine.mixer.set("mode", of: effect, to: Double(random.int(0...3)), at: at)
                case (_, let effect?):
                    try stage.engine.mixer.set(
                        "cutoff", of: effect, to: random.double(20...20_000),
                        over: random.pick([.shortest, .seconds(0.1), .beats(0.3)]), at: at)
                }
            }
            return stage
        }
        for seed in UInt64(1)...6 {
            let reference = try stage(seed: seed).played(70_000, .fixed(64))
            for plan in [BlockPlan.fixed(1), .fixed(256), .fixed(4_096), .mixed(seed: seed)] {
                #expect(try stage(seed: seed).played(70_000, plan).isIdentical(to: reference), "\(plan), seed \(seed)")
            }
        }
    }

    @Test("Effects sound in the order in which they are, and in a new one after a move")
    func order() throws {
        func sound(_ effects: [EffectSettings], moving: Bool) throws -> [UInt32] {
            // Sound, four seconds of silence in which all comes to rest, and sound again.
            let stage = try EffectStage {
                $0 < 0.5 || $0 > 3.5 ? 0.3 + 0.2 * ($0 * 400).truncatingRemainder(dividingBy: 1) : 0
            }
            let handles = try effects.map { try stage.engine.mixer.insert($0, on: EffectStage.track) }
            if moving { try stage.engine.mixer.move(handles[1], to: 0, at: frame(30_000)) }
            return stage.left(190_000)[168_000...].map(\.bitPattern)
        }
        let first = EffectStage.filter(cutoff: 900, resonance: 5, mode: .bandpass)
        let second = EffectStage.filter(cutoff: 3_100, resonance: 4, mode: .highpass)
        let swapped = try sound([second, first], moving: false)
        #expect(try (sound([first, second], moving: true) == swapped) as Bool)
        #expect(try (sound([first, second], moving: false) != swapped) as Bool, "rounding tells the orders apart")
    }

    @Test("A ramp may last some beats of the timeline, and be given in seconds")
    func ramps() throws {
        func sound(_ length: RampLength) throws -> Recorder {
            let stage = try EffectStage.tone()
            let effect = try stage.engine.mixer.insert(EffectStage.filter(cutoff: 100), on: EffectStage.track)
            try stage.engine.mixer.set("cutoff", of: effect, to: 6_400, over: length, at: frame(4_801))
            return stage.played(96_000)
        }
        // 120 quarter notes a minute.
        #expect(try sound(.beats(2)).isIdentical(to: sound(.seconds(1))))
        #expect(try !sound(.beats(2)).isIdentical(to: sound(.shortest)))
        #expect(try sound(.seconds(0)).isIdentical(to: sound(.shortest)), "no ramp is so short that it clicks")
    }

    @Test("A sweep that another sample rate interrupts takes as many seconds")
    func sweptSampleRate() throws {
        let stage = try EffectStage(seconds: 6) { 0.5 * sin(2 * .pi * 1_000 * $0) }
        let effect = try stage.engine.mixer.insert(EffectStage.filter(cutoff: 8_000), on: EffectStage.track)
        try stage.engine.mixer.set("cutoff", of: effect, to: 125, over: .seconds(3), at: frame(4_800))
        let recorder = Recorder(stage.engine, frames: 340_000)
        recorder.render(40_800)
        stage.engine.setSampleRate(try #require(SampleRate(96_000)))
        recorder.render(300_000 - recorder.frames)
        let sound = withExtendedLifetime(recorder) { Array(recorder.left()) }
        // Three quarters of a second have gone by at the first rate. The low-pass of second order at a quality of
        // 0.707, by the bilinear transform, attenuates a tone that is at w of its cutoff by √(1 + w⁴).
        for frame in stride(from: 50_000, to: 260_000, by: 10_000) {
            let seconds = 0.75 + (Double(frame) + 48 - 40_800) / 96_000
            let cutoff = 8_000 * pow(2, -6 * min(1, seconds / 3))
            let ratio = tan(.pi * 1_000 / 96_000) / tan(.pi * cutoff / 96_000)
            let expected = 0.5 / sqrt(1 + pow(ratio, 4))
            let peak = sound[frame..<frame + 96].map { abs(Double($0)) }.max() ?? 0
            #expect(abs(peak / expected - 1) < 0.02, "frame \(frame): \(peak), not \(expected)")
        }
    }

    @Test("A fade between the sound before an effect and behind it takes as many seconds at another sample rate")
    func fadingSampleRate() throws {
        var ramp = Ramp(from: 0, to: 1, start: frame(1_000), frames: 240)
        ramp = ramp.stretched(at: frame(1_060), by: 2)
        for (place, value) in [(1_060, 0.25), (1_240, 0.625), (1_419, 1 - 0.75 / 360), (1_420, 1)] {
            #expect(abs(Double(ramp.value(at: frame(place))) - value) < 1e-6)
        }
        let later = Ramp(from: 0, to: 1, start: frame(1_000), frames: 240).stretched(at: frame(900), by: 0.5)
        #expect(later.start == frame(950) && later.frames == 120 && later.value(at: frame(1_010)) == 0.5)
    }

    @Test("An effect's memory is handed back when it has faded out, also in silence")
    func retirement() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1))
        let recorder = Recorder(engine, frames: 4_000)
        let effect = try engine.mixer.insert(EffectStage.filter(), on: EffectStage.track)
        recorder.render(1_000)
        try engine.mixer.remove(effect)
        #expect(engine.control.withLock { $0.replaced.count } == 1)
        recorder.render(1_000)
        try engine.mixer.resetOvers()
        #expect(engine.control.withLock { $0.replaced.isEmpty && $0.effects.isEmpty })
    }

    @Test("Storms of effects in one block neither lose memory nor make a chain longer than it can be")
    func storm() throws {
        let stage = try EffectStage.tone()
        let recorder = Recorder(stage.engine, frames: 60_000)
        var random = TestRandom(seed: 3)
        for _ in 0..<50 {
            var effect = try stage.engine.mixer.insert(EffectStage.filter(), on: EffectStage.track)
            for _ in 0..<40 {
                let settings = EffectStage.filter(cutoff: random.double(20...20_000))
                effect = try stage.engine.mixer.replace(effect, with: settings)
                try stage.engine.mixer.move(effect, to: random.int(0...9))
            }
            try stage.engine.mixer.remove(effect)
            recorder.render(1_000)
        }
        recorder.render(1_000)
        try stage.engine.mixer.resetOvers()
        #expect(stage.engine.control.withLock { $0.replaced.isEmpty })
        #expect(recorder.left().allSatisfy { abs($0) < 2 })
    }

    @Test("What can't be is refused, with what it is")
    func refusals() throws {
        let engine = Engine(EngineConfiguration(trackCount: 1))
        let effects = try (0..<Engine.Mixer.effectCapacity).map { _ in
            try engine.mixer.insert(EffectSettings(.filter), on: EffectStage.track)
        }
        #expect(throws: EngineError.chainFull(capacity: 8)) {
            try engine.mixer.insert(EffectSettings(.filter), on: EffectStage.track)
        }
        #expect(throws: EngineError.invalidValue(name: "cutoff", value: 5)) {
            try engine.mixer.set("cutoff", of: effects[0], to: 5)
        }
        #expect(throws: EngineError.invalidValue(name: "mode", value: 1.5)) {
            try engine.mixer.set("mode", of: effects[0], to: 1.5)
        }
        #expect(throws: EngineError.unknownParameter("drive")) { try engine.mixer.set("drive", of: effects[0], to: 1) }
        #expect(throws: EngineError.invalidValue(name: "ramp", value: -1)) {
            try engine.mixer.set("cutoff", of: effects[0], to: 500, over: .beats(-1))
        }
        try engine.mixer.remove(effects[3])
        #expect(throws: EngineError.unknownEffect(effects[3])) { try engine.mixer.setBypass(true, of: effects[3]) }
        #expect(EffectKind.filter.latencyFrames(at: .standard) == 0)
        try engine.mixer.insert(EffectSettings(.filter), on: EffectStage.track)
    }
}
