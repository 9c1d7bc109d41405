import BarlineTime
import CKernels
import CRealtime

/// The tables shared by all time-stretching voices: grain sizes, windows and transform factors.
///
/// Created once for a sample rate. Grains of 85 ms, a quarter of that apart, are the reference's compromise: shorter
/// ones smear bass notes, longer ones would look further ahead than the 50 ms within which a tempo takes effect.
package struct StretchTables: BitwiseCopyable, @unchecked Sendable {
    /// The length of a grain, in frames.
    package let size: Int
    /// The distance between the centres of successive grains, at most ``size`` / 4.
    let hop: Int
    /// The number of frames over which an attack fades in before its own frame.
    let fade: Int
    /// The number of frames in a slot; each voice computes in its own slot of a hop.
    let slot: Int
    /// How many frames before a mark is due its voice decides about it.
    let margin: Int
    /// By how many frames an attack that is computed already may be off after a step of the tempo: half a millisecond.
    let tolerance: Int64
    /// The number of frames over which voices whose attacks coincide spread their grains: less than a hop, so that those
    /// and the next ones of all voices are computed before the attack.
    let attackSpread: Int
    /// The window of grains, for analysis and synthesis alike: the square of a sine, or its cube, whose squares sum to 2
    /// at each frame.
    let window: UnsafeMutablePointer<Float>
    /// The energy of the sum of grains, beside that of grains that are all alike, as a polynomial of how coherent two
    /// successive ones are: four coefficients, which sum to 1.
    let overlaps: UnsafeMutablePointer<Float>
    /// A linear ramp from 0 to 1 over `fade` frames.
    let rise: UnsafeMutablePointer<Float>
    /// A linear ramp from 1 to 0 over `fade` frames.
    let fall: UnsafeMutablePointer<Float>
    /// `size` ones.
    let ones: UnsafeMutablePointer<Float>
    /// The fade-in of a series of grains, from half a grain before the centre of the first: 0 to 1.
    let fadeIn: UnsafeMutablePointer<Float>
    /// The fade-out of a series of grains, from a hop before the centre of the last: 1 to 0.
    let fadeOut: UnsafeMutablePointer<Float>
    let transform: dsp_transform
    private let factors: UnsafeMutablePointer<Float>

    /// The number of slots in a hop.
    static var slotCount: Int { @_noLocks get { 64 } }

    /// Tabulates windows and factors for grains of about 85 ms at `sampleRate`.
    package init(sampleRate: SampleRate) {
        self.init(size: StretchTables.size(at: sampleRate))
    }

    /// The permitted grain sizes, and their shortest duration: the next power of two is 85 ms at 48 kHz.
    private static let sizeRange = 1_024...16_384
    private static let leastSeconds = 0.064

    /// The length of a grain at `sampleRate`, in frames: about 85 ms.
    package static func size(at sampleRate: SampleRate) -> Int {
        var size = sizeRange.lowerBound
        while size < sizeRange.upperBound, Double(size) < leastSeconds * sampleRate.hertz { size *= 2 }
        return size
    }

    /// Tabulates windows and factors for grains of `size` frames, a power of two, at least 256.
    ///
    /// - Parameters:
    ///   - size: the length of a grain, in frames.
    ///   - isTonal: whether side lobes are to be low: the window is the cube of a sine, so that weak partials beside
    ///     loud ones keep phases of their own. It is shorter, and takes low notes apart less well.
    package init(size: Int, isTonal: Bool = false) {
        self.size = size
        hop = size / 4
        fade = size * 3 / 128
        slot = size / 256
        margin = size / 64
        tolerance = Int64(size / 170)
        attackSpread = hop * 11 / 16
        window = .allocate(capacity: size)
        for index in 0..<size {
            let sine = rt_sin(Double.pi * Double(index) / Double(size))
            // Of four sines that are a hop apart the fourth powers sum to 3 / 2, the sixth powers to 5 / 4.
            window[index] = Float(
                isTonal ? 1.6.squareRoot() * sine * sine * sine : (4.0 / 3).squareRoot() * sine * sine)
        }
        ones = .allocate(capacity: size)
        ones.initialize(repeating: 1, count: size)
        rise = .allocate(capacity: fade + 1)
        fall = .allocate(capacity: fade + 1)
        for index in 0...fade {
            rise[index] = Float(index) / Float(fade)
            fall[index] = 1 - rise[index]
        }
        overlaps = .allocate(capacity: 4)
        for distance in 0..<4 {
            var sum = 0.0
            for place in 0..<size - distance * hop {
                let (first, second) = (Double(window[place]), Double(window[place + distance * hop]))
                sum += first * first * second * second
            }
            overlaps[distance] = Float(sum * (distance == 0 ? 1 : 2) / Double(4 * hop))
        }
        let overlap = StretchTables.overlap(size)
        fadeIn = .allocate(capacity: overlap + 1)
        fadeOut = .allocate(capacity: overlap + 1)
        for index in 0...overlap {
            var sum: Float = 0
            for place in stride(from: index, through: 0, by: -hop) where place < size {
                sum += window[place] * window[place]
            }
            fadeIn[index] = index == overlap ? 1 : sum / 2
            fadeOut[overlap - index] = fadeIn[index]
        }
        factors = .allocate(capacity: dsp_factor_count(size))
        dsp_make_factors(factors, size)
        transform = dsp_transform(size: size, factors: factors)
    }

    /// The number of frames over which grains of `size` frames fade in or out: three hops.
    @_noLocks private static func overlap(_ size: Int) -> Int { size * 3 / 4 }

    /// Frees the tables.
    package func deallocate() {
        window.deallocate()
        overlaps.deallocate()
        ones.deallocate()
        rise.deallocate()
        fall.deallocate()
        fadeIn.deallocate()
        fadeOut.deallocate()
        factors.deallocate()
    }

    /// How far ahead of its frame a mark is decided about, and how far behind a launch the first grain is centred.
    var lead: Int64 { @_noLocks get { Int64(size / 2 + margin) } }
    /// The number of values in ``rise`` and ``fall``.
    var fadeCount: Int { @_noLocks get { fade + 1 } }
    /// The number of values in ``fadeIn`` and ``fadeOut``.
    var overlapCount: Int { @_noLocks get { StretchTables.overlap(size) + 1 } }
}
