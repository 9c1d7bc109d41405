import BarlineTime
import Testing

/// Seconds, beats and tempi from each other.
@Suite("Conversions of tempo")
struct TempoConversionTests {
    /// Seconds, quarter notes, and the BPM at which the ones take the others.
    private static let spans: [(seconds: Double, beats: Double, tempo: Double)] = [
        (2, 4, 120), (1, 1, 60), (7.5, 11.25, 90), (0.25, 3.5, 840), (-2, -4, 120), (0, 0, 133), (3_600, 7_200, 120),
    ]

    @Test("Seconds and quarter notes are each other's inverse", arguments: spans)
    func inverse(seconds: Double, beats: Double, tempo: Double) {
        #expect(Tempo(clamping: tempo).seconds(of: beats) == seconds)
        #expect(Tempo(clamping: tempo).beats(in: seconds) == beats)
        if seconds != 0 { #expect(Tempo.beatsPerMinute(of: beats, in: seconds) == tempo) }
    }

    @Test(
        "A constant tempo's conversions are those of its map, at every sample rate",
        arguments: [44_100.0, 48_000, 96_000])
    func map(hertz: Double) throws {
        let rate = try #require(SampleRate(hertz))
        for bpm in stride(from: 20.0, through: 999, by: 89) {
            let tempo = Tempo(clamping: bpm)
            let map = TempoMap(tempo: tempo, sampleRate: rate)
            for beat in stride(from: -7.5, through: 64, by: 3.25) {
                let frames = Tempo.frames(of: beat, at: bpm, rate: hertz)
                #expect(abs(frames - Double(map.frame(of: Beat(rawValue: beat)).rawValue)) <= 0.5)
                #expect(abs(frames / hertz - tempo.seconds(of: beat)) < 1e-9)
                #expect(abs(tempo.beats(inFrames: frames, at: rate) - beat) < 1e-9)
                if beat > 0 {
                    #expect(abs(Tempo.beatsPerMinute(of: beat, inFrames: frames, rate: hertz) - bpm) < 1e-9)
                }
            }
        }
    }

    @Test("Tempi beyond the range of a session's convert as well")
    func beyond() {
        #expect(Tempo.seconds(of: 1, at: 6) == 10)
        #expect(Tempo.beats(in: 10, at: 6) == 1)
        #expect(Tempo.seconds(of: 20, at: 1_200) == 1)
    }
}
