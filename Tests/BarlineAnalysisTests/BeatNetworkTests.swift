import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineAnalysis

/// The beat networks' arithmetic, beside one that is written out plainly.
@Suite("Beat networks")
struct BeatNetworkTests {
    private static let channels = 32
    private static let width = BeatRows.width
    private static let classes = BeatNetwork.classCount

    /// Layers in the order in which their weights are stored: inputs and outputs.
    private static var shapes: [(inputs: Int, outputs: Int)] {
        [(5 * width, channels)]
            + BeatNetwork.dilations.flatMap { _ in [(3 * channels, channels), (channels, channels)] }
            + [(channels, 2), (channels, channels), (channels, classes)]
    }

    private struct Reference {
        /// By layer: weights by input and output, and offsets.
        let layers: [(weights: [[Double]], offsets: [Double])]
        let data: Data

        init(seed: UInt64) {
            var random = TestRandom(seed: seed)
            var bytes: [UInt8] = []
            func numbers(_ count: Int, _ scale: Double, _ random: inout TestRandom) -> [Double] {
                (0..<count).map { _ in
                    let value = Float16(scale * random.amplitude())
                    bytes += [UInt8(value.bitPattern & 0xff), UInt8(value.bitPattern >> 8)]
                    return Double(value)
                }
            }
            layers = BeatNetworkTests.shapes.map { inputs, outputs in
                let weights = numbers(inputs * outputs, 1.2 / Double(inputs).squareRoot(), &random)
                return (
                    (0..<inputs).map { Array(weights[$0 * outputs..<($0 + 1) * outputs]) },
                    numbers(outputs, 0.3, &random)
                )
            }
            data = Data(bytes)
        }

        private func apply(_ layer: Int, _ inputs: [Double]) -> [Double] {
            let (weights, offsets) = layers[layer]
            return offsets.indices.map { output in
                inputs.indices.reduce(offsets[output]) { $0 + inputs[$1] * weights[$1][output] }
            }
        }

        private func neighbours(_ rows: [[Double]], _ at: Int, _ taps: Int, _ dilation: Int, _ isLoop: Bool) -> [Double]
        {
            (0..<taps).flatMap { tap -> [Double] in
                let index = at + (tap - taps / 2) * dilation
                if isLoop { return rows[((index % rows.count) + rows.count) % rows.count] }
                return rows.indices.contains(index) ? rows[index] : Array(repeating: 0, count: rows[0].count)
            }
        }

        /// Log odds of beats and downbeats by row, and the scores of the tempos.
        func run(_ rows: [[Double]], isLoop: Bool) -> Answer {
            var state = rows.indices.map { apply(0, neighbours(rows, $0, 5, 1, isLoop)).map { max(0, $0) } }
            var skip = rows.map { _ in [Double](repeating: 0, count: channels) }
            for (index, dilation) in BeatNetwork.dilations.enumerated() {
                let hidden = rows.indices.map {
                    apply(1 + 2 * index, neighbours(state, $0, 3, dilation, isLoop)).map { max(0, $0) }
                }
                for row in rows.indices {
                    skip[row] = zip(skip[row], hidden[row]).map { $0 + $1 }
                    state[row] = zip(state[row], apply(2 + 2 * index, hidden[row])).map { $0 + $1 }
                }
            }
            let last = 1 + 2 * BeatNetwork.dilations.count
            let answers = state.map { apply(last, $0) }
            let pooled = skip.map { apply(last + 1, $0).map { max(0, $0) } }
            let mean = (0..<channels).map { channel in
                pooled.reduce(0) { $0 + $1[channel] } / Double(rows.count)
            }
            return Answer(beats: answers.map { $0[0] }, downbeats: answers.map { $0[1] }, tempos: apply(last + 2, mean))
        }
    }

    private struct Answer {
        var beats: [Double]
        var downbeats: [Double]
        var tempos: [Double]

        /// The mean of several, as probabilities and logarithms of them.
        static func mean(_ answers: [Answer]) -> Answer {
            func mean(_ column: (Answer) -> [Double]) -> [Double] {
                let columns = answers.map(column)
                return columns[0].indices.map { index in
                    columns.reduce(0) { $0 + $1[index] } / Double(columns.count)
                }
            }
            let scores = mean(\.tempos)
            let sum = log(scores.reduce(0) { $0 + exp($1) })
            func likelihoods(_ odds: [Double]) -> [Double] { odds.map { 1 / (1 + exp(-$0)) } }
            return Answer(
                beats: likelihoods(mean(\.beats)), downbeats: likelihoods(mean(\.downbeats)),
                tempos: scores.map { $0 - sum })
        }
    }

    private static func rows(_ count: Int, seed: UInt64) -> [[Double]] {
        var random = TestRandom(seed: seed)
        return (0..<count).map { _ in (0..<width).map { _ in Double(Float(random.amplitude())) } }
    }

    @Test(
        "They answer the mean of what plain loops over their weights give",
        arguments: [(1, 1, true), (1, 37, true), (1, 60, false), (3, 60, false)])
    func reference(networks: Int, count: Int, isLoop: Bool) {
        let references = (0..<networks).map { Reference(seed: 3 + UInt64($0)) }
        let rows = BeatNetworkTests.rows(count, seed: 4)
        let ensemble = BeatEnsemble(Data(references.flatMap(\.data)))
        let expected = Answer.mean(references.map { $0.run(rows, isLoop: isLoop) })
        let answer = ensemble.run(BeatRows(rows.joined().map(Float.init)), isLoop: isLoop)
        let tempos = ensemble.tempoLevels(answer.pools, count: count)
        #expect(answer.beats.count == count && tempos.count == BeatNetwork.classCount)
        for (found, truth) in zip(
            answer.beats + answer.downbeats + tempos, expected.beats + expected.downbeats + expected.tempos)
        {
            #expect(abs(Double(found) - truth) < 1e-3 * max(1, abs(truth)))
        }
        // Networks whose answers are all the same would agree with anything.
        #expect(count == 1 || (expected.beats.max() ?? 0) - (expected.beats.min() ?? 0) > 0.05)
    }

    @Test("A long sound that they hear piece by piece gets the answers of the whole")
    func pieces() {
        let rows = BeatNetworkTests.rows(7001, seed: 5).joined().map(Float.init)
        let whole = BeatEnsemble.standard.run(BeatRows(rows), isLoop: false)
        let listener = BeatListener(.standard)
        for start in stride(from: 0, to: 7001, by: 333) { listener.add(BeatRows(rows).slice(start, 333)) }
        let activity = listener.finish(count: 14_002)
        let tempos = BeatEnsemble.standard.tempoLevels(whole.pools, count: 7001)
        #expect(stride(from: 0, to: 14_002, by: 2).allSatisfy { abs(activity.beats[$0] - whole.beats[$0 / 2]) < 1e-5 })
        #expect(
            stride(from: 0, to: 14_002, by: 2).allSatisfy {
                abs(activity.downbeats[$0] - whole.downbeats[$0 / 2]) < 1e-5
            })
        #expect(zip(activity.tempoLevels, tempos).allSatisfy { abs($0 - $1) < 1e-3 })
    }
}
