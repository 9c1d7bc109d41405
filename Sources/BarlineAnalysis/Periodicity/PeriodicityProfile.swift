import Foundation

/// The periodicity of an onset envelope: its spectrum and its autocorrelation, by band and over all bands.
struct PeriodicityProfile: Sendable {
    /// Rows: the bands of ``OnsetBand``, then their sum, then beats and downbeats as the beat network detects them.
    static let rowCount = OnsetBand.allCases.count + 3
    /// The row of the sum.
    static let total = OnsetBand.allCases.count
    /// The row of the beats.
    static let beats = total + 1
    static let points = 4096

    /// Points a second.
    let pointRate: Double
    /// Whether the sound is taken as a loop.
    let isCircular: Bool
    /// Seconds that are covered; longer periods are unknown unless the sound is a loop.
    let span: Double
    /// Magnitudes relative to the row's mean, by row and bin.
    private(set) var magnitudes: [[Float]]
    /// Products of the rows' spectra with the conjugate of the lowest band's, relative to the means.
    private(set) var crossings: [[Float]]
    /// Products of a row's squared spectrum with the conjugate an octave above.
    private(set) var octaveCoupling: [[Float]]
    /// Real parts of the spectra where there is one window: how much a pulse is on the start.
    private(set) var alignments: [[Float]]
    /// Autocorrelations about the mean, 1 at lag 0, by row and lag in points.
    private(set) var correlations: [[Float]]

    /// The spectrum at a frequency in hertz; 0 beyond the highest.
    func magnitude(_ row: Int, at frequency: Double) -> Float { value(magnitudes[row], at: frequency) }

    /// How much the row's pulse coincides with the lowest band's, −1 … 1.
    func crossing(_ row: Int, at frequency: Double) -> Float { value(crossings[row], at: frequency) }

    /// Whether a pulse of twice the frequency falls on the pulse, −1 … 1.
    func coupling(_ row: Int, at frequency: Double) -> Float { value(octaveCoupling[row], at: frequency) }

    /// How much a pulse falls on the start, −1 … 1.
    func alignment(_ row: Int, at frequency: Double) -> Float { value(alignments[row], at: frequency) }

    /// The autocorrelation at a lag in seconds; `nil` where it is unknown.
    func correlation(_ row: Int, at lag: Double) -> Float? {
        let count = Double(PeriodicityProfile.points)
        var position = lag * pointRate
        if isCircular {
            position = position.truncatingRemainder(dividingBy: count)
            position = min(position, count - position)
        } else if lag > span * 0.8 {
            return nil
        }
        let index = Int(position)
        let part = Float(position - Double(index))
        let table = correlations[row]
        guard index + 1 < table.count else { return isCircular ? table.last : nil }
        return table[index] + part * (table[index + 1] - table[index])
    }

    private func value(_ table: [Float], at frequency: Double) -> Float {
        let position = frequency / pointRate * Double(PeriodicityProfile.points)
        let index = Int(position)
        guard index + 1 < table.count else { return 0 }
        let part = Float(position - Double(index))
        return table[index] + part * (table[index + 1] - table[index])
    }
}

extension PeriodicityProfile {
    /// The profile of a loop: its end continues at its start.
    ///
    /// - Parameters:
    ///   - envelope: the loop's, from its first frame to its last.
    ///   - seconds: the loop's exact length.
    init(loop envelope: OnsetEnvelope, seconds: Double) {
        let points = PeriodicityProfile.points
        let rows = PeriodicityProfile.rows(of: envelope)
        let step = seconds * OnsetEnvelope.rate / Double(points)
        let resampled = rows.map { row in
            (0..<points).map { point -> Float in
                let position = Double(point) * step
                let index = Int(position)
                let part = Float(position - Double(index))
                let first = row[min(index, row.count - 1)]
                let second = index + 1 < row.count ? row[index + 1] : row[0]
                return first + part * (second - first)
            }
        }
        var sums = ProfileSums()
        sums.add(resampled, windowed: resampled, padding: 0)
        self.init(sums, pointRate: Double(points) / seconds, isCircular: true, span: seconds)
    }

    /// The profile of a sound of any length, averaged over windows of 16 s.
    init(windowsOf envelope: OnsetEnvelope) {
        let rows = PeriodicityProfile.rows(of: envelope)
        let count = envelope.count
        let length = min(count, Int(16 * OnsetEnvelope.rate))
        let hop = max(1, length / 2)
        let window = HannWindow.values(length)
        let padding = [Float](repeating: 0, count: PeriodicityProfile.points - length)
        var sums = ProfileSums()
        for start in stride(from: 0, through: max(0, count - length), by: hop) {
            let pieces = rows.map { Array($0[start..<start + length]) }
            let tapered = pieces.map { piece in zip(piece, window).map { $0 * $1 } + padding }
            sums.add(pieces.map { $0 + padding }, windowed: tapered, padding: padding.count)
        }
        self.init(
            sums, pointRate: OnsetEnvelope.rate, isCircular: false, span: Double(length) / OnsetEnvelope.rate)
    }

    private init(_ sums: ProfileSums, pointRate: Double, isCircular: Bool, span: Double) {
        self.pointRate = pointRate
        self.isCircular = isCircular
        self.span = span
        let scale = 1 / Float(max(1, sums.count))
        magnitudes = sums.magnitudes.map { $0.map { $0 * scale } }
        crossings = sums.crossings.map { $0.map { $0 * scale } }
        octaveCoupling = sums.couplings.map { $0.map { $0 * scale } }
        alignments = sums.alignments.map { $0.map { $0 * scale } }
        correlations = sums.correlations.map { $0.map { $0 * scale } }
    }

    private static func rows(of envelope: OnsetEnvelope) -> [[Float]] {
        envelope.bands + [envelope.total, envelope.activity.beats, envelope.activity.downbeats]
    }
}
