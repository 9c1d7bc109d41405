import Foundation

/// How true a resampler is, measured on single tones.
struct Quality {
    /// The level of everything that is not the tone, below the tone, in dB: the worst of tones up to 0.8 of the lower
    /// Nyquist frequency.
    let worstNoise: Double
    /// The level of what a tone above the output's Nyquist frequency leaves, in dB; for rates above 1.
    let alias: Double?
    /// The level of a tone at 0.9 of the lower Nyquist frequency, in dB.
    let edge: Double

    init(of resampler: Resampler, rate: Double) {
        let nyquist = 0.5 / max(1, rate)
        worstNoise =
            [0.01, 0.1, 0.3, 0.5, 0.7, 0.8].map { Quality.noise(resampler, rate, frequency: $0 * nyquist).below }.max()
            ?? 0
        edge = Quality.noise(resampler, rate, frequency: 0.9 * nyquist).level
        alias =
            rate > 1.05
            ? [1.15, 1.25, 1.4].filter { $0 * nyquist < 0.49 }.map { Quality.residue(resampler, rate, $0 * nyquist) }
                .max()
            : nil
    }

    private static let frames = 24_000

    private static func tone(_ frequency: Double) -> Sound {
        let samples = (0..<frames).map { Float(0.5 * sin(2 * .pi * frequency * Double($0))) }
        return Sound(left: samples, right: samples)
    }

    /// The middle of the resampled tone, where no edge is near.
    private static func middle(_ resampler: Resampler, _ rate: Double, _ frequency: Double) -> [Double] {
        let output = resampler.left(tone(frequency), rate)
        return output[(output.count / 4)..<(3 * output.count / 4)].map(Double.init)
    }

    /// Fits the tone, of any phase and amplitude, by least squares: its level, and that of what is left below it.
    private static func noise(_ resampler: Resampler, _ rate: Double, frequency: Double) -> (
        below: Double, level: Double
    ) {
        let samples = middle(resampler, rate, frequency)
        let angle = 2 * Double.pi * frequency * rate
        var (cc, ss, cs, xc, xs) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let (c, s) = (cos(angle * Double(index)), sin(angle * Double(index)))
            cc += c * c
            ss += s * s
            cs += c * s
            xc += sample * c
            xs += sample * s
        }
        let determinant = cc * ss - cs * cs
        let a = (xc * ss - xs * cs) / determinant
        let b = (xs * cc - xc * cs) / determinant
        var left = 0.0
        for (index, sample) in samples.enumerated() {
            let rest = sample - a * cos(angle * Double(index)) - b * sin(angle * Double(index))
            left += rest * rest
        }
        let power = (a * a + b * b) / 2
        return (10 * log10(left / Double(samples.count) / power), 10 * log10(power / 0.125))
    }

    private static func residue(_ resampler: Resampler, _ rate: Double, _ frequency: Double) -> Double {
        let samples = middle(resampler, rate, frequency)
        let power = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
        return 10 * log10(power / 0.125)
    }
}
