import BarlineEngine
import BarlineTime
import Foundation
import Testing

/// A day of beats, each against whole-number arithmetic.
@Suite("The metronome over 24 hours", .timeLimit(.minutes(10)))
struct MetronomeDayTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// Tenths of a BPM, so that the model can count in whole numbers.
        let tenths: Int
        let rate: Int
        var testDescription: String { "\(Double(tenths) / 10) BPM at \(rate) Hz" }
    }

    static let cases = [
        Case(tenths: 473, rate: 44_100), Case(tenths: 1200, rate: 48_000), Case(tenths: 1373, rate: 44_100),
        Case(tenths: 1373, rate: 48_000), Case(tenths: 9990, rate: 48_000),
    ]

    /// `round(origin + k · 60 · R / bpm)`, halves up, in whole numbers.
    private func frame(ofBeat beat: Int, origin: Int, _ day: Case) -> Int {
        let numerator = 2 * beat * 600 * day.rate + day.tenths
        return origin + numerator / (2 * day.tenths)
    }

    @Test("Every beat is on its frame, and every sampled click begins there", arguments: cases)
    func everyBeat(day: Case) throws {
        let rate = try #require(SampleRate(Double(day.rate)))
        let engine = Engine(
            EngineConfiguration(
                sampleRate: rate, trackCount: 1, stemCapacity: 0, commandCapacity: 256, eventCapacity: 4096,
                tempo: Tempo(clamping: Double(day.tenths) / 10)))
        let origin = 12_345
        try engine.transport.start(at: FrameTime(Int64(origin)))
        let end = 24 * 3600 * day.rate
        // The clicks of one second an hour are listened to.
        for hour in 0..<24 {
            let start = Int64(hour * 3600 * day.rate + 1800 * day.rate)
            try engine.metronome.setOn(true, at: FrameTime(start))
            try engine.metronome.setOn(false, at: FrameTime(start + Int64(day.rate)))
        }
        let blockFrames = 65_536
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames)
        samples.initialize(repeating: 0, count: blockFrames)
        let output = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: 1)
        output.initialize(to: samples)
        defer {
            samples.deallocate()
            output.deallocate()
        }
        let queue = engine.events.queue()
        var beat = 0
        var heard = 0
        var wrong: [String] = []
        var block = 0
        while block < end {
            engine.render(AudioBlock(outputs: UnsafePointer(output), outputCount: 1, frames: blockFrames))
            for event in queue.take() {
                guard case .metronome(.pulse(let bar, let pulse, let isAccented)) = event.kind else { continue }
                let expected = frame(ofBeat: beat, origin: origin, day)
                let isPlaced = Int(bar) == beat / 4 + 1 && pulse == beat % 4 + 1 && isAccented == (beat % 4 == 0)
                if Int(event.frame.rawValue) != expected || !isPlaced { wrong.append("beat \(beat): \(event)") }
                beat += 1
                let place = expected - block
                let second = expected % (3600 * day.rate) - 1800 * day.rate
                guard second >= day.rate / 8, second < day.rate, place > 0, place + 1 < blockFrames else { continue }
                // The first frame of a click is its sine's zero; the second stands above what is left of the one
                // before.
                let step = samples[place + 1] - samples[place]
                let before = samples[place] - samples[place - 1]
                let first = closedForm(frame: 1, isAccented: isAccented, rate: Double(day.rate))
                if abs(Double(step - before) - first) > 0.01 { wrong.append("click \(beat) at \(expected)") }
                heard += 1
            }
            block += blockFrames
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(5))")
        #expect(beat >= 24 * 60 * day.tenths / 10)
        #expect(heard > 10)
    }

    private func closedForm(frame: Int, isAccented: Bool, rate: Double) -> Double {
        let time = Double(frame) / rate
        return (isAccented ? 0.9 : 0.6) * sin(2 * .pi * (isAccented ? 1200 : 800) * time) * exp(-30 * time)
    }
}
