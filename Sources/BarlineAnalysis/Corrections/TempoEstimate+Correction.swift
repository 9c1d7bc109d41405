import BarlineTime

extension TempoEstimate {
    /// Returns the corrected estimate, or the same one if the correction does not apply.
    ///
    /// - Parameters:
    ///   - correction: the correction.
    ///   - duration: the sound's length in seconds.
    /// - Returns: the corrected estimate, with a confidence of 1 if it was changed.
    /// - Complexity: O(*n*) in the beats.
    public func corrected(by correction: TempoCorrection, duration: Double) -> TempoEstimate {
        var result = self
        switch correction {
        case .double: result.multiply(beats: 2, over: 1)
        case .halve: result.multiply(beats: 1, over: 2)
        case .threeHalves: result.multiply(beats: 3, over: 2)
        case .twoThirds: result.multiply(beats: 2, over: 3)
        case .beats(let count):
            let bpm = Tempo.beatsPerMinute(of: count, in: duration)
            guard count > 0, duration > 0, isPossible(bpm, duration) else { return self }
            result.setEven(bpm: bpm, from: 0, duration: duration)
            result.loopBeats = count
        case .taps(let times):
            guard let bpm = TempoEstimate.tempo(ofTaps: times), let first = times.first, isPossible(bpm, duration)
            else { return self }
            let period = Tempo.seconds(of: 1, at: bpm)
            result.setEven(bpm: bpm, from: first - (first / period).rounded(.down) * period, duration: duration)
            result.loopBeats = nil
        case .shift(let seconds):
            guard seconds.isFinite else { return self }
            result.beats = beats.map { $0 + seconds }
            result.downbeats = downbeats.map { $0 + seconds }
        case .moveDownbeat(let count):
            guard let length = beatsPerBar, length > 0, let first = downbeats.first,
                let index = beats.firstIndex(where: { $0 >= first - 1e-6 })
            else { return self }
            result.setBars(of: length, from: index % length + count % length)
        case .bar(let length):
            guard (1...64).contains(length) else { return self }
            let index = downbeats.first.flatMap { first in beats.firstIndex { $0 >= first - 1e-6 } } ?? 0
            result.setBars(of: length, from: index)
        }
        guard result != self else { return self }
        result.confidence = 1
        result.source = .correction
        result.absence = nil
        return result
    }

    /// Whether a sound can have beats at that tempo: there is an end to them.
    private func isPossible(_ bpm: Double, _ duration: Double) -> Bool {
        bpm > 0 && duration <= TempoEstimate.longestSound
            && Tempo.beats(in: duration, at: bpm) <= TempoEstimate.mostBeats
    }

    /// The length that a sound has at most, in seconds, and its beats: a day of them at 700 BPM.
    private static let longestSound = 1e9
    private static let mostBeats = 1e6

    /// The tempo in BPM that taps have: the line nearest to their times; `nil` for fewer than two.
    package static func tempo(ofTaps times: [Double]) -> Double? {
        guard times.count >= 2 else { return nil }
        let meanNumber = Double(times.count - 1) / 2
        let meanTime = times.reduce(0, +) / Double(times.count)
        var product = 0.0
        var square = 0.0
        for (index, time) in times.enumerated() {
            product += (Double(index) - meanNumber) * (time - meanTime)
            square += (Double(index) - meanNumber) * (Double(index) - meanNumber)
        }
        let period = product / square
        return period > 0.05 && period < 10 ? Tempo.beatsPerMinute(of: 1, in: period) : nil
    }

    /// Puts `count` beats where there were `old`; every `old`th beat stays, from the first downbeat on.
    private mutating func multiply(beats count: Int, over old: Int) {
        guard let tempo = bpm else { return }
        let ratio = Double(count) / Double(old)
        bpm = tempo * ratio
        loopBeats = loopBeats.map { $0 * ratio }
        let anchor = downbeats.first.flatMap { first in beats.firstIndex { $0 >= first - 1e-6 } } ?? 0
        let times = beats
        guard times.count >= 2 else { return }
        // Positions are in old beats after the anchor; between two old beats time is even.
        let lowest = (-Double(anchor) * ratio).rounded(.up)
        let highest = (Double(times.count - anchor) * ratio).rounded(.up) - 1
        beats = stride(from: lowest, through: max(lowest, highest), by: 1).map { number in
            let position = Double(anchor) + number / ratio
            let index = max(0, min(times.count - 2, Int(position)))
            return times[index] + (position - Double(index)) * (times[index + 1] - times[index])
        }
        setBars(of: beatsPerBar ?? 4, from: -Int(lowest))
    }

    private mutating func setEven(bpm tempo: Double, from start: Double, duration: Double) {
        bpm = tempo
        let count = max(1, Int((Tempo.beats(in: duration - start, at: tempo) - 1e-6).rounded(.up)))
        beats = (0..<count).map { start + Tempo.seconds(of: Double($0), at: tempo) }
        setBars(of: beatsPerBar ?? 4, from: 0)
    }

    private mutating func setBars(of length: Int, from index: Int) {
        beatsPerBar = length
        let first = (index % length + length) % length
        downbeats = stride(from: first, to: beats.count, by: length).map { beats[$0] }
    }
}
