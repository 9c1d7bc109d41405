import Foundation

/// A network of dilated convolutions over time that detects beats, downbeats and the tempo (temporal convolutional
/// networks: Davies & Böck, *Temporal convolutional networks for musical audio beat tracking*, EUSIPCO 2019; three
/// answers of one network: Böck & Davies, *Deconstruct, analyse, reconstruct*, ISMIR 2020).
///
/// Each layer looks at a row and at its neighbours 1, 2, 4, … 256 rows away: 10 s to both sides in all. Its weights
/// are made by `Benchmarks/Tempo/network.py`.
struct BeatNetwork: Sendable {
    /// Distances of the neighbours that the layers look at, in rows.
    static let dilations = [1, 2, 4, 8, 16, 32, 64, 128, 256]
    /// Rows to each side that an answer depends on.
    static let reach = 2 + dilations.reduce(0, +)
    /// Tempos that are distinguished: ``tempo(ofClass:)``.
    static let classCount = 92

    struct Layer: Sendable {
        /// By input; each holds the weights of all channels.
        let weights: [Channels]
        let offset: Channels
    }

    let input: Layer
    let convolutions: [Layer]
    let mixes: [Layer]
    let pool: Layer
    /// Weights of the two answers per row, beat and downbeat, and their offsets.
    let answers: (beat: Channels, downbeat: Channels, offsets: SIMD2<Float>)
    /// By class.
    let tempos: (weights: [Channels], offsets: [Float])

    /// How many bytes its weights have.
    static let byteCount: Int = {
        let channels = Channels.count
        let inputs = 5 * BeatRows.width + dilations.count * 4 * channels + channels
        return 2 * (channels * (inputs + 2 * dilations.count + 2) + (channels + 1) * (2 + classCount))
    }()

    /// Reads weights: 16-bit floats, little-endian, layer by layer; a layer's by input and channel, then its offsets.
    init(_ data: Data) {
        var reader = WeightReader(data)
        input = reader.layer(inputs: 5 * BeatRows.width)
        var convolutions: [Layer] = []
        var mixes: [Layer] = []
        for _ in BeatNetwork.dilations {
            convolutions.append(reader.layer(inputs: 3 * Channels.count))
            mixes.append(reader.layer(inputs: Channels.count))
        }
        self.convolutions = convolutions
        self.mixes = mixes
        let out = reader.columns(inputs: Channels.count, outputs: 2)
        answers = (out.weights[0], out.weights[1], SIMD2(out.offsets[0], out.offsets[1]))
        pool = reader.layer(inputs: Channels.count)
        tempos = reader.columns(inputs: Channels.count, outputs: BeatNetwork.classCount)
        precondition(reader.isAtEnd, "the weights are complete")
    }

    /// The tempo in BPM of a class: from 40 up by steps of 2 %.
    static func tempo(ofClass index: Double) -> Double { 40 * pow(1.02, index) }

    /// The class of a tempo in BPM, a fraction between two.
    static func tempoClass(of bpm: Double) -> Double { log(bpm / 40) / log(1.02) }
}

extension WeightReader {
    /// The weights of a layer by input and channel, then its offsets.
    fileprivate mutating func layer(inputs: Int) -> BeatNetwork.Layer {
        let width = Channels.count
        let weights = (0..<inputs).map { _ in Channels(take(width)) }
        return BeatNetwork.Layer(weights: weights, offset: Channels(take(width)))
    }

    /// The weights of a few answers, each with those of all inputs, and their offsets.
    fileprivate mutating func columns(inputs: Int, outputs: Int) -> (weights: [Channels], offsets: [Float]) {
        let rows = take(inputs * outputs)
        let columns = (0..<outputs).map { output in
            Channels((0..<inputs).map { rows[$0 * outputs + output] })
        }
        return (columns, take(outputs))
    }
}
