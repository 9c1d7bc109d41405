import BarlineDSP
import BarlineEngine
import BarlineFiles
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Songs that are read faster or slower, higher or lower.
@Suite("Songs at a speed and pitch of their own", .fewAtATime)
struct StretchedReaderTests {
    /// Reads from memory, at most so many frames at a time.
    private final class MemoryReader: StreamReader {
        private let left: [Float]
        private let right: [Float]
        private let most: Int
        private var next = 0

        init(_ left: [Float], _ right: [Float]? = nil, most: Int = .max) {
            self.left = left
            self.right = right ?? left
            self.most = most
        }

        func seek(to frame: Int64) throws { next = min(left.count, Int(frame)) }

        func read(
            left target: UnsafeMutablePointer<Float>, right targetRight: UnsafeMutablePointer<Float>, count: Int
        ) throws -> Int {
            let frames = min(count, most, left.count - next)
            for index in 0..<frames {
                target[index] = left[next + index]
                targetRight[index] = right[next + index]
            }
            next += frames
            return frames
        }
    }

    private func reader(
        _ left: [Float], right: [Float]? = nil, _ stretch: SongStretch, most: Int = .max, start: Int64 = 0,
        end: Int64? = nil
    ) throws -> StretchedReader {
        try StretchedReader(
            MemoryReader(left, right, most: most), stretch, sampleRate: Sound.rate(48_000),
            frameCount: Int64(left.count) - start, start: start, end: end)
    }

    /// Reads to the end, so many frames at a time; both channels.
    private func all(_ reader: StretchedReader, by count: Int = 4_096, atMost: Int = .max) throws -> [[Float]] {
        var channels: [[Float]] = [[], []]
        var left = [Float](repeating: 0, count: count)
        var right = left
        while channels[0].count < atMost {
            let frames = try left.withUnsafeMutableBufferPointer { left in
                try right.withUnsafeMutableBufferPointer { right in
                    guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
                    return try reader.read(left: left, right: right, count: count)
                }
            }
            if frames == 0 { break }
            channels[0] += left[..<frames]
            channels[1] += right[..<frames]
        }
        return channels
    }

    /// A song of hits, each the noise of its place with a decay of 10 ms, over a quiet chord that goes on.
    private static let hits = (0..<48).map { 6_000 + $0 * 11_000 + ($0 % 3) * 700 }

    private static func song(chord: Double = 0.05) -> [Float] {
        var sound = (0..<560_000).map { frame -> Float in
            let tones: Double = sin(0.0288 * Double(frame)) + sin(0.0432 * Double(frame))
            return Float(chord * tones)
        }
        for (index, hit) in hits.enumerated() {
            var random = TestRandom(seed: UInt64(index + 1))
            for offset in 0..<5_000 {
                sound[hit + offset] += Float(random.double(-0.8...0.8) * exp(-Double(offset) / 500))
            }
        }
        return sound
    }

    private static let stretches = [
        SongStretch(speed: 0.7, onsets: hits), SongStretch(speed: 1.25, transposition: -3),
        SongStretch(transposition: 2.5, onsets: hits), SongStretch(speed: 4, transposition: 12),
        SongStretch(speed: 0.25, transposition: -24), SongStretch(speed: 0.8, keepsPitch: false),
    ]

    @Test(
        "A tone that is held stays one, however long: its level within 1 dB, its pitch within 2 Hz",
        arguments: [55.0, 82, 440], [0.7, 0.9, 1.3])
    func held(hertz: Double, speed: Double) throws {
        let song = (0..<20 * 48_000).map { Float(0.5 * sin(2 * .pi * hertz * Double($0) / 48_000)) }
        let played = try all(try reader(song, SongStretch(speed: speed, onsets: [])))[0].map(Double.init)
        let window = 4_800
        var last: Double?
        for first in stride(from: 9_600, to: played.count - 2 * window, by: window / 2) {
            let (level, phase) = tone(hertz, in: played[first..<first + window])
            #expect(abs(20 * log10(level / 0.5)) < 1, "at \(first): \(20 * log10(level / 0.5)) dB")
            // Of a window to the next one, half its length later.
            let advance = last.map { remainder(phase - $0, 1) } ?? 0
            #expect(abs(advance) < 2 * Double(window / 2) / 48_000 + 0.01, "at \(first): \(advance) turns")
            last = phase
        }
    }

    /// The amplitude of a tone, and its phase beside one that began with the sound, in turns.
    private func tone(_ hertz: Double, in sound: ArraySlice<Double>) -> (level: Double, phase: Double) {
        var (real, imaginary, whole) = (0.0, 0.0, 0.0)
        for (index, frame) in sound.indices.enumerated() {
            let weight = 1 - cos(2 * .pi * (Double(index) + 0.5) / Double(sound.count))
            let angle = 2 * .pi * hertz * Double(frame) / 48_000
            real += weight * sound[frame] * cos(angle)
            imaginary += weight * sound[frame] * sin(angle)
            whole += weight
        }
        return (2 * (real * real + imaginary * imaginary).squareRoot() / whole, atan2(real, imaginary) / (2 * .pi))
    }

    @Test("One sound in two files goes on where they join", arguments: [0.7, 0.97, 1.3], [-1.0, 0, 3])
    func join(speed: Double, transposition: Double) throws {
        let song = (0..<6 * 48_000).map { frame -> Float in
            let (low, high) = (sin(0.0575 * Double(frame)), sin(0.1151 * Double(frame) + 1))
            return Float(0.3 * low + 0.2 * high)
        }
        let cut = 148_813
        let stretch = SongStretch(speed: speed, transposition: transposition, onsets: [])
        let first = try all(try reader(Array(song[..<cut]), stretch))[0]
        let second = try all(try reader(Array(song[cut...]), stretch))[0]
        let both = first + second
        func steps(_ range: Range<Int>) -> Float { range.map { abs(both[$0] - both[$0 - 1]) }.max() ?? 0 }
        // No step is further than anywhere in the sound itself.
        #expect(steps(first.count - 100..<first.count + 100) < 1.25 * steps(40_000..<80_000))
    }

    @Test(
        "A hit that sounds alone is the recording's own wherever it is", arguments: [0.5, 1.5, 2], [480, 1_440, 2_160])
    func alone(speed: Double, before: Int) throws {
        // What is looked through in one go ends shortly behind each.
        let hits = (1...6).map { $0 * 96_000 - before }.filter { $0 % 192_000 > 96_000 }
        var song = [Float](repeating: 0, count: 620_000)
        for (index, hit) in hits.enumerated() {
            var random = TestRandom(seed: UInt64(index + 1))
            for offset in 0..<9_000 {
                song[hit + offset] += Float(random.double(-0.8...0.8) * exp(-Double(offset) / 2_000))
            }
        }
        let played = try all(try reader(song, SongStretch(speed: speed, onsets: hits)))[0]
        for hit in hits {
            let place = Int((Double(hit) / speed).rounded())
            let products = (-2...2).map { shift in
                var (both, own, other) = (0.0, 1e-12, 1e-12)
                for index in 0..<900 {
                    let (left, right) = (Double(played[place + shift + index]), Double(song[hit + index]))
                    both += left * right
                    own += left * left
                    other += right * right
                }
                return both / (own * other).squareRoot()
            }
            #expect((products.max() ?? 0) > 0.98, "hit at \(hit): \(products)")
            let early = (place - 1_200..<place - 100).map { abs(played[$0]) }.max() ?? 1
            #expect(early < 0.8e-3, "before hit at \(hit): \(early)")
        }
    }

    @Test("Nothing is made of what is sought far beyond the end", arguments: [0.5, 1, 1.7])
    func beyond(speed: Double) throws {
        let song = Array(StretchedReaderTests.song()[..<100_000])
        for frame in [Int64(1) << 24, 1 << 40] {
            let reader = try reader(song, SongStretch(speed: speed, transposition: 2))
            try reader.seek(to: frame)
            #expect(try all(reader).allSatisfy(\.isEmpty))
            try reader.seek(to: 10_000)
            #expect(try all(reader, by: 1_000, atMost: 2_000)[0].count == 2_000)
        }
    }

    @Test("As it was recorded it is nothing that is done to it")
    func none() {
        #expect(SongStretch().isNone && SongStretch(keepsPitch: false).isNone)
        #expect(!SongStretch(speed: 1.1).isNone && !SongStretch(transposition: 0.01).isNone)
        let document = PlaylistItemDocument(id: "a", file: "a.wav")
        let item = document.item(PlaylistItemID(1), PlaylistItemFile(path: "a.wav"))
        #expect(item.source is PlaylistItemFile)
        #expect(
            StemDocument(id: "a", name: "a", file: "a.wav").stem(MissingStem(), sampleRate: .standard).source
                is MissingStem)
    }

    @Test("It lasts as long as its speed says, to the frame, whatever is read at a time", arguments: stretches)
    func length(stretch: SongStretch) throws {
        let song = Array(Self.song().prefix(147_001))
        let whole = try all(try reader(song, stretch))
        #expect(whole[0].count == Int((Double(song.count) / stretch.speed).rounded()))
        let single = try all(try reader(song, stretch, most: 777), by: 1_023)
        #expect(single == whole)
        #expect(whole[0].allSatisfy { $0.isFinite && abs($0) < 4 })
        // As loud at its end as it was: nothing fades before a join.
        func level(_ frames: ArraySlice<Float>) -> Float { frames.map(abs).max() ?? 0 }
        #expect(level(whole[0].suffix(480)) > 0.06 && level(whole[0].suffix(480)) < 0.2)
    }

    @Test(
        "From wherever it is entered, it is what it is there when it is played from its beginning", arguments: stretches
    )
    func seek(stretch: SongStretch) throws {
        let song = Self.song()
        let whole = try all(try reader(song, stretch))[0]
        let entered = try reader(song, stretch)
        for place in [0.0, 0.004, 0.2, 0.31, 0.5, 0.77, 0.99] {
            let frame = Int(place * Double(whole.count))
            try entered.seek(to: Int64(frame))
            let count = min(20_000, whole.count - frame)
            let found = try all(entered, by: 5_000, atMost: count)[0]
            #expect(found.prefix(count) == whole[frame..<frame + count], "from \(frame)")
        }
        try entered.seek(to: Int64(whole.count + 100_000))
        #expect(try all(entered)[0].isEmpty)
    }

    @Test("Each attack begins on its frame, and is the recording's own", arguments: [0.5, 0.7, 0.85, 1.25, 1.5])
    func attacks(speed: Double) throws {
        let song = Self.song(chord: 0)
        let played = try all(try reader(song, SongStretch(speed: speed, onsets: Self.hits)))[0]
        for hit in Self.hits {
            let place = Int((Double(hit) / speed).rounded())
            let differences = (-2...2).map { shift in
                (0..<600).reduce(Float(0)) { $0 + abs(played[place + shift + $1] - song[hit + $1]) } / 600
            }
            let least = try #require(differences.min())
            #expect(least < 1.5e-3, "hit at \(hit)")
            #expect(abs((differences.firstIndex(of: least) ?? 9) - 2) <= 1, "hit at \(hit)")
            // Nothing of it is heard before.
            let before = (place - 1_200..<place - 100).map { abs(played[$0]) }.max() ?? 1
            let own = song[(hit - 1_200)..<(hit - 100)].map(abs).max() ?? 0
            #expect(before <= own + 0.8e-3, "before hit at \(hit)")
        }
    }

    @Test("Attacks that nobody names are heard", arguments: [0.7, 1.25])
    func heard(speed: Double) throws {
        let song = Self.song(chord: 0)
        let played = try all(try reader(song, SongStretch(speed: speed)))[0]
        for hit in Self.hits {
            let place = Int((Double(hit) / speed).rounded())
            let first = (place - 200..<place + 200).first { abs(played[$0]) > 0.1 }
            let own = (hit - 200..<hit + 200).first { abs(song[$0]) > 0.1 }
            let late = try #require(first) - place - (try #require(own) - hit)
            #expect(abs(late) <= 48, "hit at \(hit): \(late)")
        }
    }

    @Test(
        "Its pitch is what is asked for, and as loud",
        arguments: [(1, 7.0, true), (0.7, 0, true), (1, -0.5, true), (0.5, 0, false), (1.5, 2, true)])
    func pitch(speed: Double, transposition: Double, keepsPitch: Bool) throws {
        let sine = (0..<240_000).map { Float(0.25 * sin(2 * .pi * 500 * Double($0) / 48_000)) }
        let stretch = SongStretch(speed: speed, transposition: transposition, keepsPitch: keepsPitch)
        let channels = try all(try reader(sine, right: sine.map { -0.5 * $0 }, stretch))
        let played = Array(channels[0][20_000..<channels[0].count - 20_000])
        let crossings = played.indices.dropFirst().filter { played[$0 - 1] < 0 && played[$0] >= 0 }
        let first = try #require(crossings.first)
        let last = try #require(crossings.last)
        let frequency = 500 * pow(2, transposition / 12) * (keepsPitch ? 1 : speed)
        let expected = frequency * Double(last - first) / 48_000
        // Every four seconds phases are led back to the recording's, by half a cycle at most.
        #expect(abs(Double(crossings.count - 1) - expected) < 2, "\(crossings.count - 1) cycles, not \(expected)")
        let energy = played.reduce(0.0) { $0 + Double($1 * $1) } / Double(played.count)
        #expect(abs(10 * log10(energy / (0.25 * 0.25 / 2))) < 0.1)
        // What is between the channels stays.
        for frame in stride(from: 20_000, to: channels[0].count - 20_000, by: 97) {
            #expect(abs(channels[1][frame] + 0.5 * channels[0][frame]) < 1e-5)
        }
    }

    /// How far `played` is from a tone of so many Hz, below it, in dB, leaving out its ends.
    private func error(_ played: [Float], _ frequency: Double) -> Double {
        let errors = (4_000..<40_000).map { frame in
            Double(played[frame]) - 0.5 * sin(2 * .pi * frequency * Double(frame) / 48_000)
        }
        return 10 * log10(errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count) / 0.125)
    }

    @Test(
        "A tone whose pitch follows its speed is as true as its quality says", arguments: VarispeedQuality.allCases,
        [0.8, 1.25])
    func quality(quality: VarispeedQuality, speed: Double) throws {
        let tone = (0..<60_000).map { Float(0.5 * sin(2 * .pi * 4_410 * Double($0) / 48_000)) }
        let limit = quality == .best ? -140.0 : -95
        let stretch = SongStretch(speed: speed, keepsPitch: false, onsets: [], quality: quality)
        #expect(error(try all(try reader(tone, stretch))[0], 4_410 * speed) < limit)
        // A stem at its pitch, of which every frame is as far apart.
        let stem = PitchedStem(source: MemoryStem(samples: tone), scale: speed, shift: 0, quality: quality)
        var left = [Float](repeating: 0, count: 44_000)
        var right = left
        let count = try stem.open().read(left: &left, right: &right, count: left.count)
        #expect(count == left.count && error(left, 4_410 * speed) < limit)
    }

    /// A stem in memory.
    private struct MemoryStem: StemSource {
        let samples: [Float]
        var sampleRate: SampleRate { .standard }
        var frameCount: Int64 { Int64(samples.count) }
        func open() throws -> sending any StemReader { MemoryReader(samples) }
    }

    @Test("A part of a file begins and ends where it does")
    func part() throws {
        let song = Self.song()
        let stretch = SongStretch(speed: 0.8, transposition: 1)
        let part = try all(try reader(song, stretch, start: 100_000, end: 300_000))[0]
        let alone = try all(try reader(Array(song[100_000..<300_000]), stretch))[0]
        #expect(part == alone && part.count == 250_000)
    }

    @Test("Silence, and no frames at all, stay what they are")
    func silence() throws {
        #expect(try all(try reader([], SongStretch(speed: 0.5)))[0].isEmpty)
        let quiet = try all(try reader([Float](repeating: 0, count: 96_000), SongStretch(speed: 0.5)))[0]
        #expect(quiet.count == 192_000 && quiet.allSatisfy { $0 == 0 })
        #expect(try all(try reader([0.5], SongStretch(speed: 0.5, transposition: 12)))[0].count == 2)
    }
}
