/// The tempo of a loop of which nothing is known but its length.
///
/// It has a whole number of beats at 60 … 180 BPM; of those the bars that are a power of two come first, and of two
/// such the one that is nearer to 104 BPM, in the middle of the range by ratio. A loop shorter than a bar at 180 BPM
/// has one beat or two.
@usableFromInline package enum LoopTempo {
    /// The slowest tempo, in BPM.
    @usableFromInline static var slowest: Double { @_noLocks get { 60 } }
    /// The fastest one.
    @usableFromInline static var fastest: Double { @_noLocks get { 180 } }
    /// The square of the tempo in the middle of them.
    @usableFromInline static var middleSquared: Double { @_noLocks get { 60 * 180 } }
    /// For the rounding of a length to frames.
    @usableFromInline static var tolerance: Double { @_noLocks get { 1e-3 } }

    /// How many quarter notes a loop has.
    ///
    /// - Parameters:
    ///   - seconds: its length, above 0.
    ///   - barLength: quarter notes of a bar, above 0.
    /// - Returns: above 0; the tempo that it makes is beyond 180 BPM where the loop is shorter than a beat of that.
    @_noLocks @inlinable package static func beats(seconds: Double, barLength: Double) -> Double {
        var best = 0.0
        var bestDistance = Double.infinity
        var beats = barLength
        for _ in 0..<32 {
            consider(beats, seconds, &best, &bestDistance)
            beats *= 2
        }
        if best > 0 { return best }
        consider(1, seconds, &best, &bestDistance)
        consider(2, seconds, &best, &bestDistance)
        return best > 0 ? best : 1
    }

    @_noLocks @inlinable static func consider(
        _ beats: Double, _ seconds: Double, _ best: inout Double, _ bestDistance: inout Double
    ) {
        let tempo = Tempo.beatsPerMinute(of: beats, in: seconds)
        if tempo < slowest - tolerance || tempo > fastest + tolerance { return }
        let ratio = tempo * tempo / middleSquared
        let distance = ratio < 1 ? 1 / ratio : ratio
        if distance < bestDistance { (best, bestDistance) = (beats, distance) }
    }
}
