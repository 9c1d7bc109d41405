import Foundation

/// The input of the beat network: 50 rows a second of levels by band, of how much they rise, and of the pitch classes
/// that sound.
struct BeatRows: Sendable {
    /// Rows a second: half as many as values of an ``OnsetEnvelope``.
    static let rate = OnsetEnvelope.rate / 2
    /// Numbers in a row.
    static let width = 2 * BeatBands.count + 12

    /// The rows one after the other.
    private(set) var values: [Float] = []
    private var levels = [Float](repeating: 0, count: BeatBands.count)
    private var before = [[Float]](repeating: [Float](repeating: 0, count: BeatBands.count), count: 2)
    private var row = [Float](repeating: 0, count: BeatRows.width)
    private var frames = 0

    /// How many rows there are.
    var count: Int { values.count / BeatRows.width }

    init() {}

    /// Rows out of others.
    init(_ values: [Float]) { self.values = values }

    /// Adds a value of the envelope, of which two make a row.
    ///
    /// - Parameters:
    ///   - powers: by band.
    ///   - floor: the power that is taken as silence.
    ///   - chroma: the levels by pitch class.
    mutating func add(_ powers: [Float], floor: Float, chroma: SIMD16<Float>) {
        let bands = BeatBands.count
        let mean = chroma.sum() / 12
        let slot = frames % 2
        for band in 0..<bands {
            let level = log10(1 + powers[band] / floor)
            let rise = frames < 2 ? 0 : max(0, level - before[slot][band])
            before[slot][band] = level
            row[band] += level / 6
            row[bands + band] = max(row[bands + band], rise)
        }
        for pitch in 0..<12 { row[2 * bands + pitch] += (chroma[pitch] - mean) / 16 }
        frames += 1
        guard frames % 2 == 0 else { return }
        values += row
        row = [Float](repeating: 0, count: BeatRows.width)
    }

    /// Adds other rows at the end.
    mutating func append(_ other: BeatRows) { values += other.values }

    /// Takes the complete rows out, and leaves what a row begins with.
    mutating func takeAll() -> BeatRows {
        defer { values = [] }
        return BeatRows(values)
    }

    /// Forgets the first `count` rows.
    mutating func removeFirst(_ count: Int) { values.removeFirst(count * BeatRows.width) }

    /// `count` rows from `start` on.
    func slice(_ start: Int, _ count: Int) -> BeatRows {
        let width = BeatRows.width
        return BeatRows(Array(values.dropFirst(start * width).prefix(count * width)))
    }
}
