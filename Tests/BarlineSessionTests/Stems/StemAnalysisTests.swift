import BarlineEngine
import BarlineFiles
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineAnalysis
@testable import BarlineSession

@Suite("Hearing the tempo of stems", .fewAtATime)
struct StemAnalysisTests {
    @Test(
        "Drums and bass that begin after a second of silence are heard as one song, to the beat",
        arguments: [0, -12_000])
    func song(offset: Int64) throws {
        let folder = try TemporaryFolder()
        let rate = 48_000.0
        var random = TestRandom(seed: 4)
        var drums = [Double](repeating: 0, count: 30 * 48_000)
        var bass = drums
        let beat = 60.0 / 104 * rate
        for number in 0..<48 {
            let start = 52_000 + Int(Double(number) * beat)
            let isFirst = number % 4 == 0
            for frame in 0..<9_000 where start + frame < drums.count {
                let time = Double(frame) / rate
                drums[start + frame] += (isFirst ? 0.6 : 0.3) * sin(2 * .pi * 55 * time) * exp(-20 * time)
                if number % 2 == 1 { drums[start + frame] += 0.3 * random.amplitude() * exp(-40 * time) }
                let pitch = isFirst ? 82.4 : 110
                bass[start + frame] += 0.2 * sin(2 * .pi * pitch * time) * exp(-6 * time)
            }
        }
        try folder.write("drums.wav", WaveFile(drums, sampleRate: 48_000).bytes)
        try folder.write("bass.wav", WaveFile(bass, sampleRate: 48_000).bytes)
        let stems = try ["drums", "bass"].map { Stem(try StemFile(path: folder.path("\($0).wav")), offset: offset) }
        let heard = try StemAnalysis(stems)
        #expect(heard.bpm == 104)
        let line = try #require(heard.barLine)
        // On a beat, within 15 ms.
        let beats = (line * rate - (52_000 - Double(offset))) / beat
        #expect(abs(beats - beats.rounded()) * 60 / 104 < 0.015)
    }

    @Test("In silence and in noise there is no tempo")
    func nothing() throws {
        let folder = try TemporaryFolder()
        try folder.write("silence.wav", WaveFile([Double](repeating: 0, count: 96_000), sampleRate: 48_000).bytes)
        let heard = try StemAnalysis([Stem(try StemFile(path: folder.path("silence.wav")))])
        #expect(heard.bpm == nil && heard.barLine == nil)
    }

    @Test("The line through beats that waver is the song's tempo, and its bars are where most are")
    func line() throws {
        var random = TestRandom(seed: 8)
        var estimate = TempoEstimate.none(.silence, confidence: 1)
        estimate.bpm = 121.2
        estimate.beats = (0..<400).map { 2 + Double($0) * 60 / 121.37 + 0.006 * random.amplitude() }
        estimate.downbeats = stride(from: 1, to: 400, by: 4).map { estimate.beats[$0] }
        estimate.beatsPerBar = 4
        let grid = try #require(StemAnalysis.grid(of: estimate))
        #expect(abs(grid.bpm - 121.37) < 0.01)
        let place = (try #require(grid.barLine) - 2) * 121.37 / 60
        #expect(abs(place - 1) < 0.01)
        estimate.beats = estimate.beats.map { 2 + ($0 - 2) * 121.37 / 121 }
        #expect(StemAnalysis.grid(of: estimate)?.bpm == 121)
    }
}
