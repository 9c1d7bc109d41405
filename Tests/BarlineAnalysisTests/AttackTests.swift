import BarlineDSP
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineAnalysis

/// Where attacks begin: early by up to 2 ms, never late.
@Suite("Attacks")
struct AttackTests {
    private static let places = (0..<16).map { $0 * 12_000 + ($0 % 2 == 1 ? 2_000 : 0) }

    /// Sounds that begin at ``places`` and rise over `rise` frames.
    private static func sound(rise: Int, decay: Double, _ wave: (Int, Int) -> Double) -> [Float] {
        var samples = [Float](repeating: 0, count: 192_000)
        for (number, place) in places.enumerated() {
            for index in 0..<samples.count - place {
                let level = min(1, Double(index + 1) / Double(rise)) * exp(-Double(index) / decay)
                samples[place + index] += Float(0.7 * level * wave(number, index))
            }
        }
        return samples
    }

    private static func buffer(_ samples: [Float]) -> SampleBuffer {
        SampleBuffer(left: samples, sampleRate: .standard)
    }

    /// How early each place is found; those that are not found are missing.
    private static func leads(_ samples: [Float]) -> [Int] {
        let found = AttackAnalysis.attacks(in: buffer(samples), range: 0..<samples.count, loops: true)
        return places.compactMap { place in
            // The end of the loop is before its beginning.
            (found + found.map { $0 - samples.count }).map { place - $0 }.filter { abs($0) < 1_000 }
                .min { abs($0) < abs($1) }
        }
    }

    @Test("Drum hits are found, all of them, and none late")
    func drums() {
        var noise = TestRandom(seed: 4)
        let leads = Self.leads(
            Self.sound(rise: 1, decay: 900) { _, _ in Double.random(in: -1...1, using: &noise) })
        #expect(leads.count == Self.places.count)
        #expect(leads.allSatisfy { (0...96).contains($0) }, "\(leads)")
    }

    @Test("Channels of opposite signs have the attacks of either")
    func inverted() {
        var noise = TestRandom(seed: 4)
        let samples = Self.sound(rise: 1, decay: 900) { _, _ in Double.random(in: -1...1, using: &noise) }
        let inverted = SampleBuffer(left: samples, right: samples.map { -$0 }, sampleRate: .standard)
        let found = AttackAnalysis.attacks(in: inverted, range: 0..<samples.count, loops: false)
        #expect(found == AttackAnalysis.attacks(in: Self.buffer(samples), range: 0..<samples.count, loops: false))
        #expect(!found.isEmpty)
    }

    @Test(
        "A loop that is one wave from end to end has no attacks", arguments: [0.2, 1, 2, 3, 4, 5, 8],
        [44_100.0, 48_000])
    func steady(seconds: Double, rate: Double) {
        // Whole periods of each tone in each loop.
        for tones in [[110.0], [220], [440, 550, 660], [55, 1_760]] {
            let samples = (0..<Int(seconds * rate)).map { frame in
                Float(tones.reduce(0) { $0 + 0.5 / Double(tones.count) * cos(2 * .pi * $1 * Double(frame) / rate) })
            }
            let buffer = SampleBuffer(left: samples, sampleRate: SampleRate(unchecked: rate))
            let found = AttackAnalysis.attacks(in: buffer, range: 0..<samples.count, loops: true)
            #expect(found.isEmpty, "\(tones) over \(seconds) s: \(found)")
        }
    }

    @Test("Notes that take 10 ms to rise are found where they begin", arguments: [55.0, 82.4, 220, 660])
    func notes(frequency: Double) {
        let leads = Self.leads(
            Self.sound(rise: 480, decay: 4_000) { _, index in sin(2 * .pi * frequency * Double(index) / 48_000) })
        #expect(leads.count >= Self.places.count - 1)
        // A sine that fades in is 40 dB down a millisecond and a half after its first frame.
        #expect(leads.allSatisfy { (-72...144).contains($0) }, "\(leads)")
    }

    @Test(
        "Bass notes that begin while the one before rings on are found where they begin", arguments: [41.2, 55, 73.4])
    func legato(frequency: Double) {
        let leads = Self.leads(
            Self.sound(rise: 240, decay: 18_000) { number, index in
                let pitch = frequency * [1, 1.5, 1.335, 1.125][number % 4]
                return [1, 2, 3, 4].reduce(0) { $0 + sin(2 * .pi * pitch * $1 * Double(index) / 48_000) / $1 / 2 }
            })
        #expect(leads.count >= Self.places.count - 1)
        #expect(leads.allSatisfy { (-48...144).contains($0) }, "\(leads)")
    }

    @Test("A note that is let go is no attack")
    func release() {
        let places = [24_000, 120_000]
        let samples = (0..<192_000).map { index in
            places.reduce(Float(0)) { sum, place in
                let frame = Double(index - place)
                if frame < 0 { return sum }
                let released: Double = max(0, frame - 60_000)
                let level = exp(-frame / 90_000 - released / 4_000)
                return sum + Float(0.4 * level * sin(2 * .pi * 262 * frame / 48_000))
            }
        }
        let found = AttackAnalysis.attacks(in: Self.buffer(samples), range: 0..<samples.count, loops: false)
        #expect(found.count == places.count, "\(found)")
        #expect(zip(found, places).allSatisfy { (0...144).contains($1 - $0) }, "\(found)")
    }

    @Test("Hits over a bass that goes on are found")
    func mixture() {
        var noise = TestRandom(seed: 5)
        var samples = Self.sound(rise: 1, decay: 900) { _, _ in Double.random(in: -1...1, using: &noise) }
        for index in samples.indices {
            let bass: Double = sin(2 * .pi * 60 * Double(index) / 48_000)
            samples[index] += Float(0.25 * bass)
        }
        let leads = Self.leads(samples)
        #expect(leads.count >= 15)
        #expect(leads.allSatisfy { (0...96).contains($0) }, "\(leads)")
    }

    @Test("Drums that begin under the noise of a shaker are found where they begin", arguments: [180.0, 220, 330])
    func shaker(frequency: Double) {
        var noise = TestRandom(seed: 6)
        var samples = Self.sound(rise: 240, decay: 2_500) { _, index in
            sin(2 * .pi * frequency * Double(index) / 48_000)
        }
        var last = 0.0
        for index in samples.indices {
            let value = Double.random(in: -1...1, using: &noise)
            samples[index] += Float(0.2 * (value - last))
            last = value
        }
        let leads = Self.leads(samples)
        #expect(leads.count >= Self.places.count - 1)
        #expect(leads.allSatisfy { (-32...144).contains($0) }, "\(leads)")
    }

    @Test("A chord that trembles has no attacks")
    func vibrato() {
        let samples = (0..<192_000).map { index in
            let time = Double(index) / 48_000
            let bend = 0.0007 * sin(2 * .pi * 5.5 * time)
            var sum = 0.0
            for frequency in [220.0, 277.2, 329.6] { sum += 0.2 * sin(2 * .pi * frequency * (time + bend)) }
            return Float(sum)
        }
        let found = AttackAnalysis.attacks(in: Self.buffer(samples), range: 0..<samples.count, loops: false)
        #expect(found.count <= 2, "\(found)")
    }

    @Test("Silence and a single frame have none")
    func nothing() {
        #expect(AttackAnalysis.attacks(in: Self.buffer([0]), range: 0..<1, loops: true).isEmpty)
        let silence = [Float](repeating: 0, count: 48_000)
        #expect(AttackAnalysis.attacks(in: Self.buffer(silence), range: 0..<48_000, loops: true).isEmpty)
    }

    @Test("What dies away between its attacks is distinguished from what sounds through them, and from what has none")
    func characters() {
        func character(_ samples: [Float], _ attacks: [Int]) -> AttackAnalysis.Character {
            AttackAnalysis.character(of: Self.buffer(samples), range: 0..<samples.count, attacks: attacks)
        }
        let drums = Self.sound(rise: 10, decay: 1_500) { _, index in sin(0.05 * Double(index)) }
        let chord = (0..<192_000).map { Float(0.2 * sin(0.03 * Double($0))) }
        #expect(character(drums, Self.places) == .beats)
        #expect(character(zip(drums, chord).map(+), Self.places) == .mixed)
        #expect(character(chord, []) == .sustained)
    }
}
