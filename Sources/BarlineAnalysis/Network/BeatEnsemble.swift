import CWeights
import Foundation

/// Beat networks that were trained on different songs, and whose answers are averaged: they err in different places.
struct BeatEnsemble: Sendable {
    /// The ensemble's output for a range of rows.
    struct Answer {
        /// How likely a beat is, 0 … 1, by row.
        var beats: [Float] = []
        /// How likely a downbeat is, 0 … 1, by row.
        var downbeats: [Float] = []
        /// By network: sums over the rows from which the tempo follows.
        var pools: [Channels] = []

        /// Adds what was heard in the rows that follow.
        mutating func append(_ other: Answer) {
            beats += other.beats
            downbeats += other.downbeats
            pools = pools.isEmpty ? other.pools : zip(pools, other.pools).map { $0 + $1 }
        }
    }

    private let networks: [BeatNetwork]

    /// The networks that are used.
    static let standard = BeatEnsemble(Data(barline_weights_networks()))

    /// Reads weights: those of the networks, one after the other.
    init(_ data: Data) {
        precondition(!data.isEmpty && data.count % BeatNetwork.byteCount == 0, "the weights of whole networks")
        networks = stride(from: data.startIndex, to: data.endIndex, by: BeatNetwork.byteCount).map {
            BeatNetwork(data[$0..<$0 + BeatNetwork.byteCount])
        }
    }

    /// Runs over rows.
    ///
    /// - Parameters:
    ///   - rows: what is to be heard.
    ///   - isLoop: whether its end continues at its start.
    ///   - range: the rows for which there shall be answers, all if `nil`.
    /// - Returns: an answer for each row of the range.
    func run(_ rows: BeatRows, isLoop: Bool, range: Range<Int>? = nil) -> Answer {
        let answers = networks.map { $0.run(rows, isLoop: isLoop, range: range) }
        return Answer(
            beats: BeatEnsemble.likelihoods(answers.map(\.beats)),
            downbeats: BeatEnsemble.likelihoods(answers.map(\.downbeats)), pools: answers.map(\.pool))
    }

    /// The logarithms of the probabilities of the tempo classes.
    ///
    /// - Parameters:
    ///   - pools: the sums of an answer.
    ///   - count: the number of rows that they are sums over.
    /// - Returns: a value for each class.
    func tempoLevels(_ pools: [Channels], count: Int) -> [Float] {
        let scores = BeatEnsemble.means(zip(networks, pools).map { $0.tempoScores($1, count: count) })
        let highest = scores.max() ?? 0
        let sum = scores.reduce(Float(0)) { $0 + exp($1 - highest) }
        return scores.map { $0 - highest - log(sum) }
    }

    /// Probabilities from the networks' log odds.
    private static func likelihoods(_ odds: [[Float]]) -> [Float] { means(odds).map { 1 / (1 + exp(-$0)) } }

    private static func means(_ rows: [[Float]]) -> [Float] {
        guard var sums = rows.first else { return [] }
        for row in rows.dropFirst() {
            for index in sums.indices { sums[index] += row[index] }
        }
        return sums.map { $0 / Float(rows.count) }
    }
}
