import BarlineTime

/// Estimates the tempo and the beats of audio that is added in pieces, with about 10 kB of memory per second.
///
/// ```swift
/// let analyzer = TempoAnalyzer(sampleRate: .standard)
/// while let block = next() { analyzer.add(left: block.left, right: block.right) }
/// let estimate = analyzer.finish()
/// ```
public final class TempoAnalyzer {
    /// What is no longer than this, in seconds, may be a loop.
    package static let loopLimit = 60.0

    private let sampleRate: Double
    private var opening: [Float] = []
    private var openingSide: [Float] = []
    private var isInverted = false
    private var extractor: OnsetExtractor?
    private let networks: BeatEnsemble
    private let listener: BeatListener
    private let calibration: Calibration

    /// Creates an analyser, to be used once.
    public convenience init(sampleRate: SampleRate) {
        self.init(sampleRate: sampleRate, networks: .standard, calibration: .standard)
    }

    init(sampleRate: SampleRate, networks: BeatEnsemble, calibration: Calibration) {
        self.sampleRate = sampleRate.hertz
        self.networks = networks
        self.calibration = calibration
        listener = BeatListener(networks)
    }

    /// Adds samples.
    ///
    /// - Parameters:
    ///   - left: the left channel.
    ///   - right: the right channel, of the same length; empty for mono.
    /// - Complexity: O(*n*) in the frames.
    public func add(left: [Float], right: [Float]) {
        precondition(right.isEmpty || right.count == left.count, "both channels have one length")
        let left = TempoAnalyzer.finite(left)
        let right = TempoAnalyzer.finite(right)
        if let extractor {
            extractor.add(mixed(left, right))
            listener.add(extractor.takeRows())
            return
        }
        opening += right.isEmpty ? left : zip(left, right).map { 0.5 * ($0 + $1) }
        if !right.isEmpty { openingSide += zip(left, right).map { 0.5 * ($0 - $1) } }
        if Double(opening.count) > TempoAnalyzer.loopLimit * sampleRate { startStreaming() }
    }

    /// Ends the audio, and estimates.
    ///
    /// - Parameter hints: tempi stated elsewhere.
    /// - Returns: the estimate; without a tempo it has a reason.
    /// - Complexity: O(*n*) in the frames that were added.
    public func finish(hints: [TempoHint] = []) -> TempoEstimate {
        if let extractor {
            extractor.finish()
            listener.add(extractor.takeRows())
            var envelope = extractor.envelope.limited()
            envelope.activity = listener.finish(count: envelope.count)
            return Song(envelope).estimate(hints: hints, calibration: calibration)
        }
        chooseOpening()
        if let absence = MusicCheck.absence(opening, sampleRate: sampleRate) { return .none(absence, confidence: 0.99) }
        return ShortSound(opening, sampleRate: sampleRate, networks: networks)
            .estimate(hints: hints, calibration: calibration)
            .offeringLength(ofSeconds: Double(opening.count) / sampleRate)
    }

    /// What is no number, or beyond any audio, would spoil all that follows: silence in its place.
    private static func finite(_ samples: [Float]) -> [Float] {
        samples.allSatisfy { abs($0) < 1e6 } ? samples : samples.map { abs($0) < 1e6 ? $0 : 0 }
    }

    private func startStreaming() {
        chooseOpening()
        let extractor = OnsetExtractor(
            sampleRate: sampleRate, peak: OnsetExtractor.peak(opening, sampleRate: sampleRate))
        extractor.add(opening)
        opening = []
        self.extractor = extractor
    }

    /// Channels that cancel each other out are heard by their difference.
    private func chooseOpening() {
        func energy(_ samples: [Float]) -> Double { samples.reduce(0) { $0 + Double($1 * $1) } }
        isInverted = !openingSide.isEmpty && energy(openingSide) > 20 * energy(opening)
        if isInverted { opening = openingSide }
        openingSide = []
    }

    private func mixed(_ left: [Float], _ right: [Float]) -> [Float] {
        if right.isEmpty { return left }
        let sign: Float = isInverted ? -1 : 1
        return zip(left, right).map { 0.5 * ($0 + sign * $1) }
    }
}
