import CKernels
import CRealtime

extension dsp_filter {
    /// Tabulates the weights of the cutoff for `ratio` source frames per output frame at `2^phaseBits + 1` phases.
    init(ratio: Double, phaseBits: Int, window: KaiserWindow) {
        let reach = Double(VarispeedKernel.zeroCrossings)
        // Whole vectors of eight: the sum needs no remainder loop.
        let half = (Int(rt_ceil(reach * ratio)) + 3) / 4 * 4
        let taps = 2 * half
        let phases = 1 << phaseBits
        let storage = dsp_filter.table(of: (phases + 1) * taps)
        var values = [Double](repeating: 0, count: taps)
        // The kernel is even: the rows of the second half are those of the first, reversed.
        for phase in 0...phases / 2 {
            for tap in 0..<taps {
                let distance = (Double(tap - (half - 1)) - Double(phase) / Double(phases)) / ratio
                values[tap] = dsp_filter.weight(distance, reach: reach, window)
            }
            let sum = values.reduce(0, +)
            let row = storage + phase * taps
            let mirrored = storage + (phases - phase) * taps
            for tap in 0..<taps {
                row[tap] = Float(values[tap] / sum)
                mirrored[taps - 1 - tap] = row[tap]
            }
        }
        self.init(
            weights: storage, taps: taps, phase_bits: phaseBits, ratio: ratio, narrow_weights: nil, exact_weights: nil)
    }

    /// Tabulates the weights of the cutoff for `ratio` source frames per output frame in double precision, from the phase
    /// before the first to the one after the last of `2^phaseBits + 1`, with `zeroCrossings` on each side.
    init(exact ratio: Double, phaseBits: Int, zeroCrossings: Double, window: KaiserWindow) {
        let half = min(Int(DSP_LARGEST_SPAN) / 2, (Int(rt_ceil(zeroCrossings * ratio)) + 3) / 4 * 4)
        let taps = 2 * half
        let phases = 1 << phaseBits
        let storage = UnsafeMutableRawPointer.allocate(
            byteCount: (phases + 3) * taps * MemoryLayout<Double>.stride, alignment: 64
        ).bindMemory(to: Double.self, capacity: (phases + 3) * taps)
        for phase in -1...phases / 2 {
            let row = storage + (phase + 1) * taps
            let mirrored = storage + (phases - phase + 1) * taps
            var sum = 0.0
            for tap in 0..<taps {
                let distance = (Double(tap - (half - 1)) - Double(phase) / Double(phases)) / ratio
                row[tap] = dsp_filter.weight(distance, reach: zeroCrossings, window)
                sum += row[tap]
            }
            for tap in 0..<taps { row[tap] /= sum }
            if row != mirrored { for tap in 0..<taps { mirrored[taps - 1 - tap] = row[tap] } }
        }
        self.init(
            weights: nil, taps: taps, phase_bits: phaseBits, ratio: ratio, narrow_weights: nil,
            exact_weights: storage)
    }

    /// The weights of the filter for a source at twice the frame rate, whose upper half-band is empty.
    static func narrowWeights() -> UnsafePointer<Float> {
        let taps = Int(DSP_NARROW_TAPS)
        let phases = 1 << Int(DSP_NARROW_PHASE_BITS)
        let reach = Double(taps / 2)
        let window = KaiserWindow(beta: VarispeedKernel.narrowBeta)
        let storage = dsp_filter.table(of: (phases + 1) * taps)
        for phase in 0...phases {
            let values = (0..<taps).map { tap in
                weight(Double(tap - (taps / 2 - 1)) - Double(phase) / Double(phases), reach: reach, window)
            }
            let sum = values.reduce(0, +)
            for tap in 0..<taps {
                storage[phase * taps + (tap % 2) * taps / 2 + tap / 2] = Float(values[tap] / sum)
            }
        }
        return UnsafePointer(storage)
    }

    /// Memory for `count` weights that begins with a cache line, so that no vector of a row lies across two.
    private static func table(of count: Int) -> UnsafeMutablePointer<Float> {
        UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
            .bindMemory(to: Float.self, capacity: count)
    }

    private static func weight(_ distance: Double, reach: Double, _ window: KaiserWindow) -> Double {
        if distance == 0 { return 1 }
        let relative = distance / reach
        // Exactly zero where the sinc is: at whole positions the output must be the unchanged source frame.
        if relative <= -1 || relative >= 1 || distance == rt_floor(distance) { return 0 }
        let angle = Double.pi * distance
        return rt_sin(angle) / angle * window.value(at: relative)
    }
}
