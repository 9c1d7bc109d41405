import Foundation
import Testing

@testable import BarlineAnalysis

/// The phase of beats, where what was heard is laid down by hand.
@Suite("The phase of beats")
struct BeatPhaseTests {
    private static let period = 0.5

    /// Kick and snare alternately at 120 BPM, a hi-hat between them, and another chord with every bar.
    private static func rock(bars: Int) -> OnsetEnvelope {
        let count = Int((Double(4 * bars) * period * OnsetEnvelope.rate).rounded())
        var envelope = OnsetEnvelope()
        envelope.bands = OnsetBand.allCases.map { _ in [Float](repeating: 0, count: count) }
        var beats = [Float](repeating: 0.02, count: count)
        var downbeats = beats
        func strike(_ band: OnsetBand, _ time: Double, _ strength: Float) {
            envelope.bands[band.rawValue][Int((time * OnsetEnvelope.rate).rounded())] = strength
        }
        for beat in 0..<4 * bars {
            let time = Double(beat) * period
            strike(beat % 2 == 0 ? .low : .middle, time, 1)
            strike(.high, time, 0.4)
            strike(.high, time + period / 2, 0.4)
            beats[Int((time * OnsetEnvelope.rate).rounded())] = 0.8
            beats[Int(((time + period / 2) * OnsetEnvelope.rate).rounded())] = 0.2
            if beat % 4 == 0 { downbeats[Int((time * OnsetEnvelope.rate).rounded())] = 0.7 }
            for (offset, strength) in [(0.0, Float(1.4)), (period / 2, 0.4)] {
                envelope.onsets.append(OnsetEnvelope.Onset(time: time + offset, strength: strength))
            }
        }
        envelope.power = [Float](repeating: 0.5, count: count)
        envelope.total = (0..<count).map { index in envelope.bands.reduce(0) { $0 + $1[index] } }
        envelope.activity = BeatActivity(beats: beats, downbeats: downbeats, tempoLevels: [])
        envelope.chroma = (0..<count / OnsetEnvelope.chromaStep).map { index in
            let bar = Int(Double(index * OnsetEnvelope.chromaStep) / OnsetEnvelope.rate / (4 * period))
            var notes = SIMD16<Float>()
            for note in [0, 4, 7] { notes[(note + 5 * bar) % 12] = 1 }
            return notes
        }
        return envelope
    }

    private static func beats(bars: Int, late: Double) -> [Double] {
        (0..<4 * bars - 1).map { (Double($0) + late) * period }
    }

    @Test("Beats between kick and snare are moved onto them; those on them stay", arguments: [0.5, 0])
    func song(late: Double) {
        let grid = Grid(
            BeatPhaseTests.beats(bars: 40, late: late), envelope: BeatPhaseTests.rock(bars: 40), loopBeats: nil)
        #expect(grid.beats.count >= 158)
        for beat in grid.beats {
            let turns = beat / BeatPhaseTests.period
            #expect(abs(turns - turns.rounded()) < 1e-6, "\(beat)")
        }
    }

    @Test("A loop begins on a beat, whatever sounds on it")
    func loop() {
        let beats = BeatPhaseTests.beats(bars: 4, late: 0)
        var envelope = BeatPhaseTests.rock(bars: 4)
        let half = Int(BeatPhaseTests.period / 2 * OnsetEnvelope.rate)
        func late(_ row: [Float]) -> [Float] { Array(row.suffix(half) + row.dropLast(half)) }
        envelope.bands = envelope.bands.map(late)
        envelope.total = late(envelope.total)
        envelope.onsets = envelope.onsets.map {
            OnsetEnvelope.Onset(time: $0.time + BeatPhaseTests.period / 2, strength: $0.strength)
        }
        envelope.activity = BeatActivity(
            beats: late(envelope.activity.beats), downbeats: late(envelope.activity.downbeats), tempoLevels: [])
        #expect(Grid(beats, envelope: envelope, loopBeats: 16).beats == beats)
        #expect(Grid(beats, envelope: envelope, loopBeats: nil).beats != beats, "what is no loop need not")
    }
}
