import Foundation

extension ImportLoudness {
    /// The true peak that no clip is raised beyond, in dB relative to full scale.
    static let ceiling = -1.0

    /// The gain with which a sound is as loud as the set, in dB to one decimal; `nil` where it is left as it is.
    ///
    /// - Parameters:
    ///   - sound: what is imported.
    ///   - reference: the loudness of the set in LUFS; `nil` for a set without any.
    /// - Returns: the gain.
    func gain(for sound: SoundLevel, to reference: Double?) -> Double? {
        guard self != .off, let reference, sound.loudness.isFinite else { return nil }
        let change = reference - sound.loudness
        let gain: Double
        if change < 0 {
            gain = (10 * change).rounded() / 10
        } else {
            guard self == .all else { return nil }
            gain = (10 * min(change, ImportLoudness.ceiling - sound.truePeak)).rounded(.down) / 10
            if gain <= 0 { return nil }
        }
        return gain == 0 ? nil : gain
    }
}

extension SessionDocument {
    /// The loudness that imported clips are matched to: the median of the set's clips, each with its gain.
    ///
    /// - Parameter measured: the loudness of clips at 0 dB in LUFS, by their identifiers.
    /// - Returns: LUFS; `nil` where no clip has a loudness.
    func loudness(_ measured: [String: Double]) -> Double? {
        if measured.isEmpty { return nil }
        let values = tracks.flatMap(\.clips).compactMap { clip in measured[clip.id].map { $0 + clip.gain } }
            .filter(\.isFinite).sorted()
        guard !values.isEmpty else { return nil }
        return (values[(values.count - 1) / 2] + values[values.count / 2]) / 2
    }
}
