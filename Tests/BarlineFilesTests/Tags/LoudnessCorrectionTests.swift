import Foundation
import Testing

@testable import BarlineFiles

/// Which gain is applied, by a table worked out by hand.
@Suite("Loudness correction")
struct LoudnessCorrectionTests {
    private func tags(_ album: String?, _ loudness: LoudnessTags) -> AudioTags {
        var tags = AudioTags()
        tags.album = album
        tags.loudness = loudness
        return tags
    }

    private let both = LoudnessTags(trackGain: -8, trackPeak: 1, albumGain: -5, albumPeak: 1.1)

    @Test("Off is unity, whatever else is asked for")
    func off() {
        let correction = LoudnessCorrection(mode: .off, preamp: 6, untaggedGain: -6)
        #expect(correction.gain(of: tags("A", both)) == .unity)
        #expect(correction.gain(of: AudioTags()) == .unity)
    }

    @Test("Track and album gains, each standing in for the other, and the preamp")
    func modes() {
        let track = LoudnessTags(trackGain: -8)
        let album = LoudnessTags(albumGain: -5)
        #expect(LoudnessCorrection(mode: .track).gain(of: tags("A", both)).rawValue == -8)
        #expect(LoudnessCorrection(mode: .track).gain(of: tags("A", album)).rawValue == -5)
        #expect(LoudnessCorrection(mode: .album).gain(of: tags("A", both)).rawValue == -5)
        #expect(LoudnessCorrection(mode: .album).gain(of: tags(nil, track)).rawValue == -8)
        #expect(LoudnessCorrection(mode: .album, preamp: 3).gain(of: tags("A", both)).rawValue == -2)
    }

    @Test("Auto goes by album where a neighbour is of the same one")
    func auto() {
        let correction = LoudnessCorrection(mode: .auto)
        let (same, other) = (tags("a", LoudnessTags()), tags("B", both))
        let item = tags("A", both)
        #expect(correction.gain(of: item).rawValue == -8)
        #expect(correction.gain(of: item, before: other, after: other).rawValue == -8)
        #expect(correction.gain(of: item, before: same, after: other).rawValue == -5)
        #expect(correction.gain(of: item, before: nil, after: same).rawValue == -5)
        let nameless = tags(nil, both)
        #expect(correction.gain(of: nameless, before: tags(nil, both), after: tags(nil, both)).rawValue == -8)
        var guest = item
        guest.albumArtist = "Someone else"
        #expect(correction.gain(of: item, before: guest).rawValue == -8)
    }

    @Test("No peak is raised above the ceiling; where it is unknown, items are turned down only, and by no more")
    func ceiling() {
        let quiet = LoudnessTags(trackGain: 12, trackPeak: 0.5, albumGain: 12, albumPeak: 2)
        #expect(abs(LoudnessCorrection(mode: .track).gain(of: tags("A", quiet)).rawValue - 5.0206) < 1e-4)
        #expect(abs(LoudnessCorrection(mode: .album).gain(of: tags("A", quiet)).rawValue - -7.0206) < 1e-4)
        #expect(LoudnessCorrection(mode: .track).gain(of: tags("A", LoudnessTags(trackGain: 12))).rawValue == 0)
        #expect(LoudnessCorrection(mode: .track).gain(of: tags("A", LoudnessTags(trackGain: -0.5))).rawValue == -0.5)
        #expect(LoudnessCorrection(mode: .track, ceiling: nil).gain(of: tags("A", quiet)).rawValue == 12)
    }

    @Test("What has no tags gets the gain for such")
    func untagged() {
        let correction = LoudnessCorrection(mode: .auto, preamp: 3, untaggedGain: -6)
        #expect(correction.gain(of: AudioTags()).rawValue == -6)
        #expect(correction.gain(of: tags("A", LoudnessTags(trackPeak: 1))).rawValue == -6)
    }
}
