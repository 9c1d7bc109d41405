extension BeatNetwork {
    /// The network's output for a range of rows.
    struct Answer {
        /// The log odds of a beat, by row.
        var beats: [Float] = []
        /// The log odds of a downbeat, by row.
        var downbeats: [Float] = []
        /// Sums over the rows from which the tempo follows.
        var pool = Channels()
    }

    /// Runs over rows.
    ///
    /// - Parameters:
    ///   - rows: what is to be heard.
    ///   - isLoop: whether its end continues at its start.
    ///   - range: the rows for which there shall be answers, all if `nil`.
    /// - Returns: an answer for each row of the range.
    func run(_ rows: BeatRows, isLoop: Bool, range: Range<Int>? = nil) -> Answer {
        let count = rows.count
        guard count > 0 else { return Answer() }
        let range = range ?? 0..<count
        var state = [Channels](repeating: Channels(), count: count)
        var hidden = state
        var skip = state
        rows.values.withUnsafeBufferPointer { values in
            if let base = values.baseAddress {
                BeatNetwork.convolve(
                    UnsafeRawPointer(base), width: BeatRows.width, taps: 5, dilation: 1, isLoop: isLoop, input,
                    into: &state)
            }
        }
        for index in BeatNetwork.dilations.indices {
            state.withUnsafeBytes { bytes in
                if let base = bytes.baseAddress {
                    BeatNetwork.convolve(
                        base, width: Channels.count, taps: 3, dilation: BeatNetwork.dilations[index],
                        isLoop: isLoop, convolutions[index], into: &hidden)
                }
            }
            for row in 0..<count {
                skip[row] += hidden[row]
                state[row] += BeatNetwork.product(hidden[row], mixes[index])
            }
        }
        var answer = Answer()
        answer.beats.reserveCapacity(range.count)
        answer.downbeats.reserveCapacity(range.count)
        for row in range {
            answer.beats.append(state[row].product(answers.beat) + answers.offsets.x)
            answer.downbeats.append(state[row].product(answers.downbeat) + answers.offsets.y)
            answer.pool += BeatNetwork.product(skip[row], pool).rectified
        }
        return answer
    }

    /// The scores of the tempo classes, of whose exponentials their probabilities are shares.
    ///
    /// - Parameters:
    ///   - pool: the sums of an answer, or of several.
    ///   - count: the number of rows that they are sums over.
    /// - Returns: a value for each class.
    func tempoScores(_ pool: Channels, count: Int) -> [Float] {
        let share = 1 / Float(max(1, count))
        return zip(tempos.weights, tempos.offsets).map { share * pool.product($0) + $1 }
    }

    private static func convolve(
        _ source: UnsafeRawPointer, width: Int, taps: Int, dilation: Int, isLoop: Bool, _ layer: Layer,
        into target: inout [Channels]
    ) {
        let values = source.assumingMemoryBound(to: Float.self)
        let count = target.count
        layer.weights.withUnsafeBytes { weights in
            guard let weights = weights.baseAddress else { return }
            target.withUnsafeMutableBufferPointer { target in
                for row in 0..<count {
                    var sum = layer.offset
                    for tap in 0..<taps {
                        var other = row + (tap - taps / 2) * dilation
                        if isLoop {
                            other = (other % count + count) % count
                        } else if other < 0 || other >= count {
                            continue
                        }
                        sum.add(
                            values + other * width, count: width,
                            weights: weights + tap * width * MemoryLayout<Channels>.stride)
                    }
                    target[row] = sum.rectified
                }
            }
        }
    }

    private static func product(_ values: Channels, _ layer: Layer) -> Channels {
        var sum = layer.offset
        withUnsafeBytes(of: values) { values in
            layer.weights.withUnsafeBytes { weights in
                guard let values = values.baseAddress, let weights = weights.baseAddress else { return }
                sum.add(values.assumingMemoryBound(to: Float.self), count: Channels.count, weights: weights)
            }
        }
        return sum
    }
}
