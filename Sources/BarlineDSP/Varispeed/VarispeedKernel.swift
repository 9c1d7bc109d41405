import CKernels
import CRealtime

/// The windowed-sinc filters of the varispeed interpolator.
///
/// A sample between two source frames is the sum of the frames around it, weighted with a sinc under a Kaiser window
/// (J. O. Smith, "Digital Audio Resampling", 1984–; window: J. F. Kaiser, 1974). At rates up to 1 the sinc's cutoff is
/// the source's Nyquist frequency, so that a whole position yields the source frame itself. Above 1 it follows the
/// rate, or everything above the output's Nyquist frequency would alias: filters are tabulated at sixteen cutoffs per
/// octave. While a tempo ramps, the two around its rate are blended, so that the response changes smoothly with it; at
/// a constant rate one of them suffices, which takes half the time. Within a table the weights are tabulated at 512
/// phases between two zero crossings of its sinc, which are the fewer in a frame the lower the cutoff is, and interpolated
/// linearly.
///
/// A region with ``Midpoints`` has two values per frame. Up to rate 1 a filter of 16 taps over these does what
/// otherwise takes one of 64: the upper half of their band is empty, and serves as the filter's transition band.
///
/// That is ``VarispeedQuality/live``. For ``VarispeedQuality/best`` the weights of 64 zero crossings are tabulated in
/// double precision, interpolated by a cubic, and summed in double precision.
///
/// The tables are computed once and kept for the life of the process.
@usableFromInline package struct VarispeedKernel: BitwiseCopyable, @unchecked Sendable {
    /// Zero crossings on each side of the sinc.
    package static let zeroCrossings = 32
    /// Cutoffs tabulated per octave.
    static let tablesPerOctave = 16
    /// Kaiser's β: a stop band of about −100 dB.
    static let beta = 10.0
    /// Kaiser's β for the filter over midpoints: a stop band of about −115 dB.
    static let narrowBeta = 12.0
    /// Zero crossings on each side of the sinc of ``VarispeedQuality/best``, as far as ``largestSpan`` goes: above rate 4
    /// they are fewer, 32 at 8.
    static let exactZeroCrossings = 64.0
    /// Kaiser's β for ``VarispeedQuality/best``: a stop band of about −150 dB.
    static let exactBeta = 15.6
    /// The largest number of source frames that one output frame depends on.
    @usableFromInline package static let largestSpan = Int(DSP_LARGEST_SPAN)

    /// The filter for rates up to 1.
    @usableFromInline let full: UnsafePointer<dsp_filter>
    /// The filters for rates from 1 on, in the order of their cutoffs.
    @usableFromInline let tables: UnsafePointer<dsp_filter>
    @usableFromInline let tableCount: Int

    /// The tables shared by all voices.
    @usableFromInline package static let shared = VarispeedKernel()

    /// The tables of ``VarispeedQuality/best``: 9 MB, computed in some 25 ms when they are first needed.
    static let exact = VarispeedKernel(exactWith: KaiserWindow(beta: exactBeta, intervals: 1 << 17))

    private init(exactWith window: KaiserWindow) {
        let count = 3 * VarispeedKernel.tablesPerOctave + 1
        let storage = UnsafeMutablePointer<dsp_filter>.allocate(capacity: count)
        for index in 0..<count {
            let ratio = rt_pow(2, Double(index) / Double(VarispeedKernel.tablesPerOctave))
            let zeroCrossings = min(
                VarispeedKernel.exactZeroCrossings, Double(VarispeedKernel.largestSpan / 2) / ratio)
            (storage + index).initialize(
                to: dsp_filter(
                    exact: ratio, phases: Int((256 / ratio).rounded(.up)), zeroCrossings: zeroCrossings,
                    window: window))
        }
        full = UnsafePointer(storage)
        tables = full
        tableCount = count
    }

    private init() {
        let window = KaiserWindow(beta: VarispeedKernel.beta)
        let count = 3 * VarispeedKernel.tablesPerOctave + 1
        let storage = UnsafeMutablePointer<dsp_filter>.allocate(capacity: count + 1)
        for index in 0..<count {
            let ratio = rt_pow(2, Double(index) / Double(VarispeedKernel.tablesPerOctave))
            (storage + 1 + index).initialize(
                to: dsp_filter(ratio: ratio, phases: Int((512 / ratio).rounded(.up)), window: window))
        }
        storage.initialize(to: storage[1])
        storage.pointee.narrow_weights = dsp_filter.narrowWeights()
        full = UnsafePointer(storage)
        tables = full + 1
        tableCount = count
    }

    /// The filter for reading at a constant `rate` source frames per output frame, 0 or more: that of one cutoff.
    @_noLocks @inlinable package func steadyFilter(rate: Double) -> VarispeedFilter {
        if rate <= 1 { return VarispeedFilter(lower: full, upper: full, blend: 0) }
        let lower = tables + dsp_find_filter(tables, tableCount, rate)
        let upper = lower + 1
        // Biased towards the lower cutoff of the two, so that no more aliases than with a blend.
        let isLower = rate - lower.pointee.ratio < 0.25 * (upper.pointee.ratio - lower.pointee.ratio)
        return VarispeedFilter(lower: isLower ? lower : upper, upper: isLower ? lower : upper, blend: 0)
    }

    /// The filter for reading at a changing rate, now `rate` source frames per output frame, 0 or more.
    @_noLocks @inlinable package func filter(rate: Double) -> VarispeedFilter {
        if rate <= 1 { return VarispeedFilter(lower: full, upper: full, blend: 0) }
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
