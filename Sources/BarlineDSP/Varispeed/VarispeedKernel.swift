import CKernels
import CRealtime

/// The windowed-sinc filters of the varispeed interpolator.
///
/// A sample between two source frames is the sum of the frames around it, weighted with a sinc under a Kaiser window
/// (J. O. Smith, "Digital Audio Resampling", 1984–; window: J. F. Kaiser, 1974). At rates up to 1 the sinc's cutoff
/// is the source's Nyquist frequency, so that a whole position yields the source frame itself. Above 1 it follows
/// the rate, or what lies above the output's Nyquist frequency would fold down: filters are tabulated at sixteen
/// cutoffs an octave, and the two around a rate are blended, so that the response changes smoothly with the tempo.
/// Within a table the weights are tabulated at 512 (at lower cutoffs fewer) phases a frame and interpolated linearly.
///
/// The tables are made once and kept for the life of the process.
public struct VarispeedKernel: BitwiseCopyable, @unchecked Sendable {
    /// Zero crossings on each side of the sinc.
    public static let zeroCrossings = 32
    /// Cutoffs tabulated per octave.
    static let tablesPerOctave = 16
    /// Kaiser's β: a stop band of about −100 dB.
    static let beta = 10.0
    /// The largest number of source frames that one output frame depends on.
    @usableFromInline package static let largestSpan = Int(DSP_LARGEST_SPAN)

    @usableFromInline let tables: UnsafePointer<dsp_filter>
    @usableFromInline let tableCount: Int

    /// The tables that every voice shares.
    public static let shared = VarispeedKernel()

    private init() {
        let window = KaiserWindow(beta: VarispeedKernel.beta)
        let count = 3 * VarispeedKernel.tablesPerOctave + 1
        let storage = UnsafeMutablePointer<dsp_filter>.allocate(capacity: count)
        for index in 0..<count {
            // The tables of an octave have as many weights as the one before: more taps, fewer phases.
            let ratio = rt_pow(2, Double(index) / Double(VarispeedKernel.tablesPerOctave))
            let octave = index / VarispeedKernel.tablesPerOctave
            (storage + index).initialize(to: dsp_filter(ratio: ratio, phaseBits: 9 - octave, window: window))
        }
        tables = UnsafePointer(storage)
        tableCount = count
    }

    /// The filter for reading at `rate` source frames an output frame, 0 or more.
    @_noLocks @inlinable public func filter(rate: Double) -> VarispeedFilter {
        if rate <= 1 { return VarispeedFilter(lower: tables, upper: tables, blend: 0) }
        let lower = tables + dsp_find_filter(tables, tableCount, rate)
        let upper = lower + 1
        let blend = (rate - lower.pointee.ratio) / (upper.pointee.ratio - lower.pointee.ratio)
        return VarispeedFilter(lower: lower, upper: upper, blend: blend < 1 ? Float(blend) : 1)
    }
}

/// The filter for one rate: a blend of the two tabulated cutoffs around it.
public struct VarispeedFilter: BitwiseCopyable, @unchecked Sendable {
    @usableFromInline let lower: UnsafePointer<dsp_filter>
    @usableFromInline let upper: UnsafePointer<dsp_filter>
    @usableFromInline let blend: Float

    @_noLocks @usableFromInline init(
        lower: UnsafePointer<dsp_filter>, upper: UnsafePointer<dsp_filter>, blend: Float
    ) {
        self.lower = lower
        self.upper = upper
        self.blend = blend
    }
}
