import Foundation

/// The sine of a known frequency that is nearest to samples, and what they have beside it.
struct SineFit {
    let amplitude: Double
    /// In turns, as that of ``TestSound/sine(_:frames:phase:)``.
    let phase: Double
    /// The rest, in dB of the sine.
    let residual: Double

    init(_ samples: [Double], frequency: Double) {
        var (cc, ss, cs, xc, xs) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * .pi * frequency * Double(index)
            let (c, s) = (cos(angle), sin(angle))
            cc += c * c
            ss += s * s
            cs += c * s
            xc += sample * c
            xs += sample * s
        }
        let determinant = cc * ss - cs * cs
        let a = (xc * ss - xs * cs) / determinant
        let b = (xs * cc - xc * cs) / determinant
        var (rest, whole) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * .pi * frequency * Double(index)
            let model = a * cos(angle) + b * sin(angle)
            rest += (sample - model) * (sample - model)
            whole += model * model
        }
        amplitude = (a * a + b * b).squareRoot()
        phase = atan2(a, b) / (2 * .pi)
        residual = 10 * log10(rest / whole + 1e-30)
    }
}

/// Where an attack is, by correlation with what it was.
enum AttackFinder {
    /// By how many frames `attack` is later in `sound` than `frame`.
    static func lag(of attack: [Float], in sound: [Float], near frame: Int, reach: Int) -> Int {
        var best = (lag: Int.max, value: -Double.infinity)
        for lag in -reach...reach {
            let first = frame + lag
            guard first >= 0, first + attack.count <= sound.count else { continue }
            var (product, energy) = (0.0, 1e-12)
            for index in attack.indices {
                product += Double(attack[index] * sound[first + index])
                energy += Double(sound[first + index] * sound[first + index])
            }
            let value = product / energy.squareRoot()
            if value > best.value { best = (lag, value) }
        }
        return best.lag
    }
}
