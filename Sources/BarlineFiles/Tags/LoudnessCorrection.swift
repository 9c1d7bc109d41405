import BarlineDSP
import Foundation

/// The loudness normalisation of playlist items by their tags.
public struct LoudnessCorrection: Hashable, Sendable {
    /// The gains to use.
    public enum Mode: String, Sendable, CaseIterable {
        /// None: samples are as in the file.
        case off
        /// The track gain: all tracks are equally loud.
        case track
        /// The album gain: albums are equally loud.
        case album
        /// The album gain next to items of the same album, else the track gain.
        case auto
    }

    /// The gains to use.
    public var mode: Mode
    /// The gain added to every tagged one, in dB.
    public var preamp: Double
    /// The gain of items without tags, in dB.
    public var untaggedGain: Double
    /// The level that no peak is raised above, in dBTP; EBU R 128 recommends −1. `nil` for no limit.
    public var ceiling: Double?

    /// Creates a correction.
    public init(mode: Mode = .off, preamp: Double = 0, untaggedGain: Double = 0, ceiling: Double? = -1) {
        self.mode = mode
        self.preamp = preamp
        self.untaggedGain = untaggedGain
        self.ceiling = ceiling
    }

    /// The gain of an item.
    ///
    /// If one of track and album gain is missing, the other is used. If there is a gain without a peak, which
    /// may be at full scale, the item is turned down by it and never up.
    ///
    /// - Parameters:
    ///   - tags: the tags of the item.
    ///   - before: the tags of the previous item, if any.
    ///   - after: the tags of the next item, if any.
    /// - Returns: the gain; exactly unity without a correction.
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
        guard let ceiling else { return Decibels(wanted) }
        return Decibels(min(wanted, peak.map { ceiling - 20 * log10($0) } ?? 0))
    }
}
