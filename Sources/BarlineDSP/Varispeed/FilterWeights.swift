import CKernels
import CRealtime

extension dsp_filter {
    /// Tabulates the weights of the cutoff for `ratio` source frames per output frame at `phases + 1` phases.
    init(ratio: Double, phases: Int, window: KaiserWindow) {
        let reach = Double(VarispeedKernel.zeroCrossings)
        // Whole vectors of eight: the sum needs no remainder loop.
        let half = (Int(rt_ceil(reach * ratio)) + 3) / 4 * 4
        let taps = 2 * half
        let storage: UnsafeMutablePointer<Float> = dsp_filter.table(of: (phases + 1) * taps)
        var values = [Double](repeating: 0, count: taps)
        // The kernel is even: the rows of the second half are those of the first, reversed.
        for phase in 0...phases / 2 {
            dsp_filter.weigh(
                &values, taps, phase: Double(phase) / Double(phases), ratio: ratio, reach: reach, window)
            let row = storage + phase * taps
            let mirrored = storage + (phases - phase) * taps
            for tap in 0..<taps {
                row[tap] = Float(values[tap])
                mirrored[taps - 1 - tap] = row[tap]
            }
        }
        self.init(
            weights: storage, taps: taps, phases: phases, ratio: ratio, narrow_weights: nil, exact_weights: nil)
    }

    /// Tabulates the weights of the cutoff for `ratio` source frames per output frame in double precision, from the phase
    /// before the first to the one after the last of `phases + 1`, with `zeroCrossings` on each side.
    init(exact ratio: Double, phases: Int, zeroCrossings: Double, window: KaiserWindow) {
        let half = min(Int(DSP_LARGEST_SPAN) / 2, (Int(rt_ceil(zeroCrossings * ratio)) + 3) / 4 * 4)
        let taps = 2 * half
        let storage: UnsafeMutablePointer<Double> = dsp_filter.table(of: (phases + 3) * taps)
        for phase in -1...phases / 2 {
            let row = storage + (phase + 1) * taps
            let mirrored = storage + (phases - phase + 1) * taps
            dsp_filter.weigh(
                row, taps, phase: Double(phase) / Double(phases), ratio: ratio, reach: zeroCrossings, window)
            if row != mirrored { for tap in 0..<taps { mirrored[taps - 1 - tap] = row[tap] } }
        }
        self.init(
            weights: nil, taps: taps, phases: phases, ratio: ratio, narrow_weights: nil,
            exact_weights: storage)
    }

    /// The weights of the filter for a source at twice the frame rate, whose upper half-band is empty.
    static func narrowWeights() -> UnsafePointer<Float> {
        let taps = Int(DSP_NARROW_TAPS)
        let phases = 1 << Int(DSP_NARROW_PHASE_BITS)
        let reach = Double(taps / 2)
        let window = KaiserWindow(beta: VarispeedKernel.narrowBeta)
        let storage: UnsafeMutablePointer<Float> = dsp_filter.table(of: (phases + 1) * taps)
        var values = [Double](repeating: 0, count: taps)
        for phase in 0...phases {
            weigh(&values, taps, phase: Double(phase) / Double(phases), ratio: 1, reach: reach, window)
            for tap in 0..<taps {
                storage[phase * taps + (tap % 2) * taps / 2 + tap / 2] = Float(values[tap])
            }
        }
        return UnsafePointer(storage)
    }

    /// Memory for `count` weights that begins with a cache line, so that no vector of a row lies across two.
    private static func table<Weight>(of count: Int) -> UnsafeMutablePointer<Weight> {
        UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Weight>.stride, alignment: 64)
            .bindMemory(to: Weight.self, capacity: count)
    }

    /// Writes the weights of `taps` source frames for a position `phase` of a frame after the middle one, whose total is 1.
    ///
    /// The angles whose sines are needed are a step apart: each sine follows from the one before by a rotation, to within
    /// 10⁻¹³, and the tables take three fifths of the time.
    private static func weigh(
        _ weights: UnsafeMutablePointer<Double>, _ taps: Int, phase: Double, ratio: Double, reach: Double,
        _ window: KaiserWindow
    ) {
        let quarter = Double.pi / 2
        let (first, step) = (Double.pi * (Double(1 - taps / 2) - phase) / ratio, Double.pi / ratio)
        let (stepSine, stepCosine) = (rt_sin(step), rt_sin(step + quarter))
        var (sine, cosine) = (rt_sin(first), rt_sin(first + quarter))
        var sum = 0.0
        for tap in 0..<taps {
            let distance = (Double(tap + 1 - taps / 2) - phase) / ratio
            weights[tap] = weight(distance, sine: sine, reach: reach, window)
            sum += weights[tap]
            (sine, cosine) = (
                sine * stepCosine + cosine * stepSine, cosine * stepCosine - sine * stepSine
            )
        }
        for tap in 0..<taps { weights[tap] /= sum }
    }

    /// The weight at a distance, of whose angle `sine` is the sine.
    private static func weight(_ distance: Double, sine: Double, reach: Double, _ window: KaiserWindow) -> Double {
        if distance == 0 { return 1 }
        let relative = distance / reach
        // Exactly zero where the sinc is: at whole positions the output must be the unchanged source frame.
        if relative <= -1 || relative >= 1 || distance == rt_floor(distance) { return 0 }
        return sine / (Double.pi * distance) * window.value(at: relative)
    }
}
