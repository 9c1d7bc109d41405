import BarlineTestSupport
import Foundation
import Testing

/// Drums at another tempo whose attacks nobody has named: they are those that analysis finds.
@Suite("Attacks of stretched drums, as they are found", .fewAtATime)
struct FoundAttackTests {
    private static let rate = 48_000.0

    /// A kick with a click, a snare, a closed hi-hat, a tom and a cowbell.
    private static let sounds: [[Double]] = {
        var random = TestRandom(seed: 16)
        func sound(_ seconds: Double, _ wave: (Double, Double) -> Double) -> [Double] {
            (0..<Int(seconds * rate)).map { wave(Double($0) / rate, random.amplitude()) }
        }
        return [
            sound(0.25) { time, noise in
                sin(2 * .pi * (50 * time + 3 * (1 - exp(-50 * time)))) * exp(-16 * time) + 0.3 * noise
                    * exp(-900 * time)
            },
            sound(0.2) { time, noise in (0.6 * noise + 0.4 * sin(2 * .pi * 185 * time)) * exp(-24 * time) },
            sound(0.06) { time, noise in 0.4 * noise * exp(-80 * time) },
            sound(0.4) { time, noise in
                sin(2 * .pi * (110 * time + 0.6 * (1 - exp(-30 * time)))) * exp(-10 * time) + 0.2 * noise
                    * exp(-500 * time)
            },
            sound(0.15) { time, _ in
                0.5 * (sin(2 * .pi * 562 * time + 1) + sin(2 * .pi * 845 * time + 1)) * exp(-22 * time)
            },
        ]
    }()

    private static func hit(_ beat: Double, _ sound: Int, _ level: Double) -> DrumLoop.Hit {
        DrumLoop.Hit(beat: beat, sound: sounds[sound], level: level)
    }

    private static let swung: [DrumLoop.Hit] = (0..<16).flatMap { eighth in
        let beat = Double(eighth) / 2
        let hat = hit(beat + (eighth % 2 == 1 ? 1.0 / 12 : 0), 2, eighth % 2 == 0 ? 0.7 : 0.4)
        switch eighth % 4 {
        case 0: return [hat, hit(beat, 0, 0.7)]
        case 2: return [hat, hit(beat, 1, 0.6)]
        default: return [hat]
        }
    }

    private static let sixteenths: [DrumLoop.Hit] = (0..<32).map { step in
        let beat = Double(step) / 4
        switch step % 8 {
        case 0: return hit(beat, 0, 0.7)
        case 3, 6: return hit(beat, 4, 0.5)
        case 4: return hit(beat, 1, 0.6)
        default: return hit(beat, 2, 0.5)
        }
    }

    private static let toms: [DrumLoop.Hit] = (0..<8).flatMap { beat in
        [hit(Double(beat), 0, 0.5), hit(Double(beat) + 2.0 / 3, 3, 0.6)]
    }

    @Test(
        "Each is heard within a millisecond of where it is played at that tempo",
        arguments: [0.5, 0.6, 0.7, 0.8, 1.1, 1.25, 1.5, 2], [nil, "beats", "complex"] as [String?])
    func found(rate: Double, mode: String?) async throws {
        for (name, hits) in [("swung", Self.swung), ("sixteenths", Self.sixteenths), ("toms", Self.toms)] {
            for (place, lag) in try await DrumLoop(hits: hits).lags(rate: rate, mode: mode) {
                #expect(abs(lag) <= 48, "\(name) at \(place): \(lag)")
            }
        }
    }

    /// A hit of a sampled kit, and the beat on which it begins.
    private typealias Sampled = (beat: Double, hit: SampledKit.Hit)

    private static let (kick, snare, hat) = (UInt8(36), UInt8(38), UInt8(42))

    private static func sampled(_ beat: Double, _ key: UInt8, _ velocity: UInt8) -> Sampled {
        (beat, SampledKit.Hit(key: key, velocity: velocity))
    }

    /// Eighths of a hi-hat, the second of which is late by a third of itself or not.
    private static func beat(late: Double) -> [Sampled] {
        var hits: [Sampled] = []
        for eighth in 0..<16 {
            let isSecond = eighth % 2 == 1
            hits.append(sampled(Double(eighth) / 2 + (isSecond ? late : 0), hat, isSecond ? 70 : 90))
        }
        for beat in [0, 2, 4, 6.5] { hits.append(sampled(beat, kick, 110)) }
        for beat in [1.0, 3, 5, 7] { hits.append(sampled(beat, snare, 105)) }
        return hits
    }

    /// Sixteenths of a hi-hat, but for those that the snare hides, and notes on it that are hardly struck.
    private static let ghosts: [Sampled] = {
        let velocities: [UInt8] = [85, 50, 70, 50]
        var hits: [Sampled] = []
        for step in 0..<32 {
            let beat = Double(step) / 4
            if step % 16 != 5, step % 16 != 13 { hits.append(sampled(beat, hat, velocities[step % 4])) }
            if [0, 3, 6, 10].contains(step % 16) { hits.append(sampled(beat, kick, 105)) }
            if [4, 12].contains(step % 16) { hits.append(sampled(beat, snare, 110)) }
            if [1, 7, 9, 11, 14, 15].contains(step % 16) { hits.append(sampled(beat, snare, 35)) }
        }
        return hits
    }()

    /// Sixteenths down the toms, and a roll of thirty-seconds.
    private static let sixteenthsOfToms: [Sampled] = {
        let keys: [UInt8] = [50, 50, 50, 48, 48, 48, 47, 47, 47, 45, 45, 45, 43, 43, 41, 41]
        return (0..<32).map { step in sampled(Double(step) / 4, keys[step % 16], 100) }
    }()
    private static let roll: [Sampled] = {
        let keys: [UInt8] = [50, 48, 47, 45, 43, 41]
        var hits: [Sampled] = []
        for step in 0..<64 where step % 32 < 24 {
            hits.append(sampled(Double(step) / 8, keys[step % 32 / 4], step % 2 == 0 ? 90 : 70))
        }
        return hits
    }()

    @Test(
        "So is each of a kit that was sampled: a beat, ghost notes, toms and rolls",
        .enabled(if: SampledKit.isInstalled, "fluidsynth and its sound font are installed"),
        arguments: [0.5, 0.7, 1.25, 2])
    func sampled(rate: Double) async throws {
        let loops: [(name: String, program: UInt8, hits: [Sampled])] = [
            ("a beat", 0, Self.beat(late: 0)), ("a beat", 16, Self.beat(late: 0)), ("a beat", 25, Self.beat(late: 0)),
            ("a swung beat", 0, Self.beat(late: 1.0 / 12)), ("ghost notes", 0, Self.ghosts),
            ("toms", 0, Self.sixteenthsOfToms),
            // Its lowest tom begins so softly that at half the tempo it is 1.3 ms late.
            ("a roll", 0, rate < 0.7 ? Self.roll.filter { $0.hit.key != 41 } : Self.roll),
        ]
        for loop in loops {
            let sounds = try SampledKit.sounds(Array(Set(loop.hits.map(\.hit))), program: loop.program)
            let hits = loop.hits.map { DrumLoop.Hit(beat: $0.beat, sound: sounds[$0.hit] ?? []) }
            for (place, lag) in try await DrumLoop(hits: hits).lags(rate: rate, mode: nil) {
                #expect(abs(lag) <= 48, "\(loop.name) of kit \(loop.program) at \(place): \(lag)")
            }
        }
    }
}
