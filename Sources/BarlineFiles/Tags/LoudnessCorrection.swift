import BarlineDSP
import Foundation

/// How loud items of a playlist are made, by what their tags say.
public struct LoudnessCorrection: Hashable, Sendable {
    /// Which gains are used.
    public enum Mode: String, Sendable, CaseIterable {
        /// None: every sample is as in the file.
        case off
        /// Each track is as loud as every other.
        case track
        /// Albums are equally loud, and their tracks as different as they were meant to be.
        case album
        /// Album where the item before or after is of the same album, else track.
        case auto
    }

    /// Which gains are used.
    public var mode: Mode
    /// Added to every tagged gain, in dB.
    public var preamp: Double
    /// The gain of what has no tags, in dB.
    public var untaggedGain: Double
    /// No sample is raised above this level, in dBTP; EBU R 128 asks for −1. `nil` for no limit.
    public var ceiling: Double?

    /// A correction.
    public init(mode: Mode = .off, preamp: Double = 0, untaggedGain: Double = 0, ceiling: Double? = -1) {
        self.mode = mode
        self.preamp = preamp
        self.untaggedGain = untaggedGain
        self.ceiling = ceiling
    }

    /// The gain to play an item at.
    ///
    /// Where one of track and album gain is missing, the other is taken. Where tags give a gain and no peak, the peak
    /// is taken to be full scale.
    ///
    /// - Parameters:
    ///   - tags: of the item.
    ///   - before: of the item that is played before it, if any.
    ///   - after: of the item that is played after it, if any.
    /// - Returns: the gain; exactly unity where nothing is corrected.
    public func gain(of tags: AudioTags, before: AudioTags? = nil, after: AudioTags? = nil) -> Decibels {
        guard mode != .off else { return .unity }
        let isOfAlbum =
            mode == .album
            || mode == .auto && tags.albumIdentity != nil
                && [before?.albumIdentity, after?.albumIdentity].contains(tags.albumIdentity)
        let loudness = tags.loudness
        let gain = isOfAlbum ? loudness.albumGain ?? loudness.trackGain : loudness.trackGain ?? loudness.albumGain
        guard let gain else { return Decibels(untaggedGain) }
        // The peak goes with the gain: a limit by the track's own would part the tracks of an album.
        let isByAlbum = isOfAlbum ? loudness.albumGain != nil : loudness.trackGain == nil
        let peak = isByAlbum ? loudness.albumPeak : loudness.trackPeak ?? loudness.albumPeak
        let wanted = gain + preamp
        return Decibels(min(wanted, ceiling.map { $0 - 20 * log10(peak ?? 1) } ?? wanted))
    }
}
