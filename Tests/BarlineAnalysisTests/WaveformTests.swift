import BarlineDSP
import BarlineTestSupport
import Testing

@testable import BarlineAnalysis

/// The shape of a sound in a given number of points.
@Suite("Waveform")
struct WaveformTests {
    private func waveform(_ left: [Float], _ right: [Float]? = nil, count: Int) -> Waveform {
        Waveform(of: SampleBuffer(left: left, right: right, sampleRate: .standard), count: count)
    }

    @Test("There are exactly as many points as asked for", arguments: [1, 2, 3, 7, 100, 999, 1000, 1001, 5000])
    func count(count: Int) {
        #expect(waveform((0..<1000).map { Float($0) }, count: count).points.count == count)
    }

    @Test("A point has the extremes and the RMS of its share of the frames")
    func values() {
        let points = waveform([1, -1, 0.5, 0.5, 0, 0, -0.25], count: 3).points
        // Seven frames in three parts: two, two and three.
        #expect(points.map(\.max) == [1, 0.5, 0])
        #expect(points.map(\.min) == [-1, 0.5, -0.25])
        #expect(points[0].rms == 1 && points[1].rms == 0.5)
        #expect(abs(points[2].rms - (0.0625 / 3 as Float).squareRoot()) < 1e-7)
    }

    @Test("Every frame is in one point and in no other, where there are frames enough")
    func partition() {
        var random = TestRandom(seed: 4)
        for _ in 0..<50 {
            let frames = Int.random(in: 1...3000, using: &random)
            let count = Int.random(in: 1...frames, using: &random)
            // A single frame of 1 is seen in one point.
            var samples = [Float](repeating: 0, count: frames)
            let place = Int.random(in: 0..<frames, using: &random)
            samples[place] = 1
            let points = waveform(samples, count: count).points
            #expect(points.count { $0.max == 1 } == 1)
            let index = points.firstIndex { $0.max == 1 } ?? -1
            #expect(index == Int(Double((place + 1) * count - 1) / Double(frames)), "\(place) of \(frames) in \(count)")
        }
    }

    @Test("With fewer frames than points, neighbours share a frame")
    func fewerFrames() {
        let points = waveform([0.25, -0.75], count: 5).points
        #expect(points.map(\.max) == [0.25, 0.25, 0.25, -0.75, -0.75])
        #expect(points.map(\.min) == points.map(\.max))
        #expect(points.map(\.rms) == [0.25, 0.25, 0.25, 0.75, 0.75])
    }

    @Test("Both channels count")
    func stereo() {
        let points = waveform([1, 0], [-0.5, 0], count: 2).points
        #expect(points[0].max == 1 && points[0].min == -0.5)
        #expect(abs(points[0].rms - (1.25 / 2 as Float).squareRoot()) < 1e-7)
        #expect(points[1].rms == 0)
    }

    @Test("A loud hour's RMS is exact to a hair: the sum does not lose what is small")
    func long() {
        let samples = (0..<2_000_000).map { Float($0 % 2 == 0 ? 0.7 : -0.7) }
        #expect(abs(waveform(samples, count: 1).points[0].rms - 0.7) < 1e-6)
    }
}
