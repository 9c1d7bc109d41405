/// The length of a time-stretch's grains: long ones keep tones apart, short ones keep sounds in quick succession apart.
package enum StretchGrain: Int, BitwiseCopyable, Sendable, CaseIterable {
    /// About 85 ms.
    case long
    /// About 43 ms.
    case medium
    /// About 21 ms.
    case short
}

/// The way in which a source is stretched.
package struct StretchStyle: BitwiseCopyable, Sendable {
    /// Whether the source plays unchanged at each attack and for most of the way to the next one, as suits drums.
    package var isSliced: Bool
    /// The share of the way to the next attack for which a slice plays unchanged; from 1 on, what is left of the way is
    /// silent instead of being filled.
    package var keptShare: Double
    /// How fast slices decay, in octaves of the amplitude per frame; 0 if they don't.
    package var decay: Double
    /// The length of the grains.
    package var grain: StretchGrain
    /// Whether the source has no attacks: grains of the full length then have windows with lower side lobes.
    package var isTonal: Bool

    /// The share of the way for which slices play unchanged if nothing else is said.
    package static var standardShare: Double { @_noLocks get { 0.8 } }

    /// Creates a style; see the properties for what the parameters mean.
    @_noLocks package init(
        isSliced: Bool = false, keptShare: Double = StretchStyle.standardShare, decay: Double = 0,
        grain: StretchGrain = .long, isTonal: Bool = false
    ) {
        self.isSliced = isSliced
        self.keptShare = keptShare
        self.decay = decay
        self.grain = grain
        self.isTonal = isTonal
    }

    /// Whether a slice is followed by silence where the next one is late.
    var leavesGaps: Bool { @_noLocks get { isSliced && keptShare >= 1 } }
}
