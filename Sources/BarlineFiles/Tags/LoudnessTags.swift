import Foundation

/// The loudness tags of a file: gains in dB relative to ReplayGain 2 (−18 LUFS), peaks as amplitudes.
public struct LoudnessTags: Hashable, Sendable {
    /// The gain for the track alone.
    public var trackGain: Double?
    /// The peak amplitude of the track; 1 is full scale.
    public var trackPeak: Double?
    /// The gain for all tracks of the album.
    public var albumGain: Double?
    /// The peak amplitude of the album.
    public var albumPeak: Double?

    /// Creates tags.
    public init(
        trackGain: Double? = nil, trackPeak: Double? = nil, albumGain: Double? = nil, albumPeak: Double? = nil
    ) {
        self.trackGain = trackGain
        self.trackPeak = trackPeak
        self.albumGain = albumGain
        self.albumPeak = albumPeak
    }

    /// Whether all are missing.
    public var isEmpty: Bool { trackGain == nil && trackPeak == nil && albumGain == nil && albumPeak == nil }

    /// `R128_…` gains lead to −23 LUFS (RFC 7845), ReplayGain to −18 LUFS.
    private static let referenceDistance = 5.0

    /// Takes one tag; keys of either system, in whatever case. What is no number, or none that a gain can be, is passed
    /// over.
    mutating func take(key: String, value: String) {
        switch key.uppercased() {
        case "REPLAYGAIN_TRACK_GAIN": trackGain = LoudnessTags.gain(value) ?? trackGain
        case "REPLAYGAIN_ALBUM_GAIN": albumGain = LoudnessTags.gain(value) ?? albumGain
        case "REPLAYGAIN_TRACK_PEAK": trackPeak = LoudnessTags.peak(value) ?? trackPeak
        case "REPLAYGAIN_ALBUM_PEAK": albumPeak = LoudnessTags.peak(value) ?? albumPeak
        case "R128_TRACK_GAIN": trackGain = LoudnessTags.fixedPoint(value) ?? trackGain
        case "R128_ALBUM_GAIN": albumGain = LoudnessTags.fixedPoint(value) ?? albumGain
        default: return
        }
    }

    /// These tags, and where they know nothing, what `other` knows.
    package func completed(from other: LoudnessTags) -> LoudnessTags {
        LoudnessTags(
            trackGain: trackGain ?? other.trackGain, trackPeak: trackPeak ?? other.trackPeak,
            albumGain: albumGain ?? other.albumGain, albumPeak: albumPeak ?? other.albumPeak)
    }

    /// `-7.25 dB`; some writers put a comma for the point.
    private static func gain(_ text: String) -> Double? {
        number(text).flatMap { abs($0) <= 100 ? $0 : nil }
    }

    private static func peak(_ text: String) -> Double? {
        number(text).flatMap { $0 > 0 && $0 <= 100 ? $0 : nil }
    }

    /// Q7.8: 256ths of a decibel in 16 bits.
    private static func fixedPoint(_ text: String) -> Double? {
        Int16(text.trimmingCharacters(in: .whitespaces)).map { Double($0) / 256 + referenceDistance }
    }

    private static func number(_ text: String) -> Double? {
        let digits = text.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: ",", with: ".")
            .prefix { $0.isASCIIDigit || "+-.eE".contains($0) }
        return Double(digits).flatMap { $0.isFinite ? $0 : nil }
    }
}
