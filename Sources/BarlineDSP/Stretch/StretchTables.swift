import BarlineTime
import CKernels
import CRealtime

/// The sizes of grains, and the windows and factors that they are computed with.
///
/// Made once for a sample rate and shared by all voices. Grains of 85 ms at a quarter of that apart are the reference's
/// compromise: shorter ones smear bass notes, longer ones would look further ahead than the 50 ms within which a tempo
/// takes over.
package struct StretchTables: BitwiseCopyable, @unchecked Sendable {
    /// The frames of a grain.
    package let size: Int
    /// From the middle of a grain to that of the next, at most ``size`` / 4.
    let hop: Int
    /// The frames over which an attack comes in before its own.
    let fade: Int
    /// The parts of a hop of which each voice has one for its work.
    let slot: Int
    /// The root of a Hann window, for analysis and synthesis alike: together a Hann window, which adds up to 2 at each frame.
    let window: UnsafeMutablePointer<Float>
    /// A line from 0 to 1 over `fade` frames.
    let rise: UnsafeMutablePointer<Float>
    /// A line from 1 to 0 over `fade` frames.
    let fall: UnsafeMutablePointer<Float>
    /// `size` ones.
    let ones: UnsafeMutablePointer<Float>
    /// How grains come in one after the other, from half a grain before the middle of the first: 0 to 1.
    let entrance: UnsafeMutablePointer<Float>
    /// How grains go one after the other, from a hop before the middle of the last: 1 to 0.
    let exit: UnsafeMutablePointer<Float>
    let transform: dsp_transform
    private let factors: UnsafeMutablePointer<Float>

    /// Places for each hop's work.
    static var slotCount: Int { @_noLocks get { 16 } }

    /// Tabulates windows and factors for grains of about 85 ms at `sampleRate`.
    package init(sampleRate: SampleRate) {
        self.init(size: StretchTables.size(at: sampleRate))
    }

    /// The sizes that grains have, and how long they are at least: the power of two that follows is 85 ms at 48 kHz.
    private static let sizeRange = 1_024...16_384
    private static let leastSeconds = 0.064

    /// The frames of a grain at `sampleRate`, about 85 ms.
    package static func size(at sampleRate: SampleRate) -> Int {
        var size = sizeRange.lowerBound
        while size < sizeRange.upperBound, Double(size) < leastSeconds * sampleRate.hertz { size *= 2 }
        return size
    }

    /// Tabulates windows and factors for grains of `size` frames, a power of two from 256 on.
    package init(size: Int) {
        self.size = size
        hop = size / 4
        fade = size * 3 / 128
        slot = size / 64
        window = .allocate(capacity: size)
        for index in 0..<size { window[index] = Float(rt_sin(Double.pi * Double(index) / Double(size))) }
        ones = .allocate(capacity: size)
        ones.initialize(repeating: 1, count: size)
        rise = .allocate(capacity: fade + 1)
        fall = .allocate(capacity: fade + 1)
        for index in 0...fade {
            rise[index] = Float(index) / Float(fade)
            fall[index] = 1 - rise[index]
        }
        let turn = StretchTables.turn(size)
        entrance = .allocate(capacity: turn + 1)
        exit = .allocate(capacity: turn + 1)
        for index in 0...turn {
            var sum: Float = 0
            for place in stride(from: index, through: 0, by: -hop) where place < size {
                sum += window[place] * window[place]
            }
            entrance[index] = index == turn ? 1 : sum / 2
            exit[turn - index] = entrance[index]
        }
        factors = .allocate(capacity: dsp_factor_count(size))
        dsp_make_factors(factors, size)
        transform = dsp_transform(size: size, factors: factors)
    }

    /// The frames that grains of `size` frames take to come in or to go: three hops.
    @_noLocks private static func turn(_ size: Int) -> Int { size * 3 / 4 }

    /// Frees the tables.
    package func deallocate() {
        window.deallocate()
        ones.deallocate()
        rise.deallocate()
        fall.deallocate()
        entrance.deallocate()
        exit.deallocate()
        factors.deallocate()
    }

    /// How far ahead of its middle a grain is computed.
    var lead: Int64 { @_noLocks get { Int64(size / 2 + slot) } }
    /// The values of ``rise`` and ``fall``.
    var fadeCount: Int { @_noLocks get { fade + 1 } }
    /// The values of ``entrance`` and ``exit``.
    var turnCount: Int { @_noLocks get { StretchTables.turn(size) + 1 } }
}
