import Foundation

/// Finds when a sound rises in its treble, to some milliseconds: hits that follow each other so closely, or are so
/// quiet beside what rings on, that they do not stand out of an ``OnsetEnvelope``, whose blocks are longer.
struct TrebleRises {
    /// Where it rises.
    struct Rise {
        /// The frame near which it rises most.
        let frame: Int
        /// Whether it rises below the treble as well, as drums do and cymbals don't.
        let isBroad: Bool
    }

    /// In their order.
    private(set) var rises: [Rise] = []

    /// The edges of the bands in hertz: one that tells drums from cymbals, and the treble's two, in both of which a hit
    /// rises steeply; what is sung, bowed or blown doesn't, and vibrato doesn't.
    private static let edges = [2_400.0, 4_800, 9_600, 19_200]
    /// The distance of two blocks in seconds, and the least length of one.
    private static let hop = 0.0025
    private static let block = 0.004
    /// A block is compared with the loudest of as many before it, leaving out those that it overlaps.
    private static let reach = 8
    private static let overlap = 2
    /// So many dB, both bands of the treble together, are a rise; no band counts for more than the most.
    private static let leastRise: Float = 18
    private static let mostRise: Float = 20
    /// So many dB below the treble are one as well.
    private static let leastBroadRise: Float = 3
    /// The power that is taken as silence, beside the loudest block.
    private static let floor: Float = 1e-5

    init(_ samples: [Float], sampleRate: Double) {
        var size = 64
        while Double(size) < TrebleRises.block * sampleRate { size *= 2 }
        let hop = TrebleRises.hop * sampleRate
        let powers = TrebleRises.powers(samples, sampleRate, size, hop)
        let bands = powers.bands.map { TrebleRises.rises($0, floor: powers.floor) }
        let treble = bands[1].indices.map { bands[1][$0] + bands[2][$0] }
        for (index, rise) in treble.enumerated() where rise >= TrebleRises.leastRise {
            let first = max(0, index - TrebleRises.reach)
            let last = min(treble.count - 1, index + TrebleRises.reach)
            // The first one of equals.
            if treble[first..<index].contains(where: { $0 >= rise }) { continue }
            if treble[index...last].contains(where: { $0 > rise }) { continue }
            rises.append(
                Rise(frame: Int(Double(index) * hop) + size / 2, isBroad: bands[0][index] >= TrebleRises.leastBroadRise)
            )
        }
    }

    /// The power of each band in each block, and what is taken as silence.
    private static func powers(
        _ samples: [Float], _ sampleRate: Double, _ size: Int, _ hop: Double
    ) -> (bands: [[Float]], floor: Float) {
        let spectrum = PowerSpectrum(size: size)
        let bins = edges.map { min(size / 2, Int(($0 / sampleRate * Double(size)).rounded())) }
        var bands = [[Float]](repeating: [], count: bins.count - 1)
        var powers = [Float](repeating: 0, count: spectrum.binCount)
        var loudest: Float = 1e-12
        samples.withUnsafeBufferPointer { samples in
            for index in 0..<max(0, Int(Double(samples.count - size) / hop)) {
                powers.withUnsafeMutableBufferPointer { powers in
                    guard let input = samples.baseAddress, let output = powers.baseAddress else { return }
                    spectrum.measure(input + Int(Double(index) * hop), into: output)
                }
                for band in bands.indices { bands[band].append(powers[bins[band]..<bins[band + 1]].reduce(0, +)) }
                loudest = max(loudest, powers.reduce(0, +))
            }
        }
        return (bands, floor * loudest)
    }

    /// By how many dB each block of a band is above those before it.
    private static func rises(_ band: [Float], floor: Float) -> [Float] {
        var rises = [Float](repeating: 0, count: band.count)
        for index in stride(from: reach + overlap, to: band.count, by: 1) {
            let before = band[index - reach - overlap...index - overlap].max() ?? 0
            rises[index] = min(max(0, 10 * log10((band[index] + floor) / (before + floor))), mostRise)
        }
        return rises
    }
}
