import CKernels
import CRealtime

/// Keeping the level of what is not a tone.
extension StretchVoice {
    /// Raises the bins of the grain centred on `frame` by what it will lose.
    ///
    /// The phases of a tone continue from grain to grain, and grains add up to it. Those of noise hardly do at another
    /// rate: where four grains with phases of their own overlap, they add up to 3 dB less. How much it is in each bin is
    /// seen in the latest grain, beside what the source had there, turned as this grain will be. Of grains that are two or
    /// three hops apart, the coherence is taken for its square and its cube.
    @_noLocks func holdLevels(at frame: Int64, areApart: Bool, _ tables: StretchTables, _ work: StretchWork) {
        let size = tables.size
        // After a cut fewer grains overlap.
        let grown = Float(frame - cut) / Float(size)
        if !(grown > 0) { return }
        let share = grown < 1 ? grown : 1
        StretchVoice.turn(work.earlier, areApart: areApart, to: work.time, work, size)
        dsp_bin_products(former, work.time, work.products, size)
        dsp_bin_energies(former, work.formerEnergies, size)
        dsp_bin_energies(work.time, work.earlierEnergies, size)
        dsp_hold_levels(
            work.rotations, work.products, work.formerEnergies, work.earlierEnergies, tables.overlaps, share, size)
        if areApart {
            dsp_hold_levels(
                work.rightRotations, work.products, work.formerEnergies, work.earlierEnergies, tables.overlaps, share,
                size)
        }
    }
}
