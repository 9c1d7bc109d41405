/// A four-pole resonant low-pass in the manner of a transistor ladder, with its feedback solved within the sample.
struct LadderFilter: Sendable {
    private var stages = SIMD4<Double>.zero
    private var gain = 0.0
    private var feedback = 0.0
    private let rate: Double

    /// A filter for a canvas of `rate` frames a second; `resonance` goes from 0 to just under 4.
    init(rate: Double, cutoff: Double, resonance: Double) {
        self.rate = rate
        set(cutoff: cutoff, resonance: resonance)
    }

    /// Moves the cutoff (in hertz) and the resonance.
    mutating func set(cutoff: Double, resonance: Double) {
        let limited = min(max(cutoff, 20), rate * 0.42)
        let warped = Maths.tangent(Double.pi * limited / rate)
        gain = warped / (1 + warped)
        feedback = resonance
    }

    /// Filters one sample. Resonance thins the bass of a ladder, so the input is raised to make up for it.
    mutating func next(_ input: Double) -> Double {
        let rest = 1 - gain
        let pending = rest * (gain * (gain * (gain * stages[0] + stages[1]) + stages[2]) + stages[3])
        let loop = gain * gain * gain * gain
        let drive = input * (1 + feedback * 0.5)
        var signal = Maths.softClip((drive - feedback * pending) / (1 + feedback * loop))
        for index in 0..<4 {
            let change = (signal - stages[index]) * gain
            signal = change + stages[index]
            stages[index] = signal + change
        }
        return signal
    }
}
