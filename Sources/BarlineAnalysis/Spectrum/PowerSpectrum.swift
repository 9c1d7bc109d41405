import Foundation

/// The power spectrum of windowed real blocks.
final class PowerSpectrum {
    /// Samples in a block, a power of two from 8 on.
    let size: Int
    /// Frequencies from 0 to half the sample rate: half the block and one.
    let binCount: Int
    private let transform: FourierTransform
    private let window: [Float]
    private let real: UnsafeMutablePointer<Float>
    private let imaginary: UnsafeMutablePointer<Float>
    private let cosines: [Float]
    private let sines: [Float]

    init(size: Int) {
        self.size = size
        binCount = size / 2 + 1
        transform = FourierTransform(count: size / 2)
        // Scaled so that a full-scale sine has a power of a quarter in its bin.
        window = HannWindow.values(size, scale: 1 / Double(size))
        real = .allocate(capacity: size / 2)
        imaginary = .allocate(capacity: size / 2)
        real.initialize(repeating: 0, count: size / 2)
        imaginary.initialize(repeating: 0, count: size / 2)
        let turn = -2 * Double.pi / Double(size)
        cosines = (0..<size / 2).map { Float(cos(turn * Double($0))) }
        sines = (0..<size / 2).map { Float(sin(turn * Double($0))) }
    }

    deinit {
        real.deallocate()
        imaginary.deallocate()
    }

    /// Writes the powers of the ``size`` samples at `samples` into the ``binCount`` values at `powers`.
    func measure(_ samples: UnsafePointer<Float>, into powers: UnsafeMutablePointer<Float>) {
        let half = size / 2
        window.withUnsafeBufferPointer { window in
            for index in 0..<half {
                real[index] = samples[2 * index] * window[2 * index]
                imaginary[index] = samples[2 * index + 1] * window[2 * index + 1]
            }
        }
        transform.forward(real, imaginary)
        powers[0] = (real[0] + imaginary[0]) * (real[0] + imaginary[0])
        powers[half] = (real[0] - imaginary[0]) * (real[0] - imaginary[0])
        cosines.withUnsafeBufferPointer { cosines in
            sines.withUnsafeBufferPointer { sines in
                // Even and odd samples were transformed as real and imaginary parts: take them apart and together.
                for bin in 1..<half {
                    let evenReal = 0.5 * (real[bin] + real[half - bin])
                    let evenImaginary = 0.5 * (imaginary[bin] - imaginary[half - bin])
                    let oddReal = 0.5 * (imaginary[bin] + imaginary[half - bin])
                    let oddImaginary = -0.5 * (real[bin] - real[half - bin])
                    let totalReal = evenReal + oddReal * cosines[bin] - oddImaginary * sines[bin]
                    let totalImaginary = evenImaginary + oddReal * sines[bin] + oddImaginary * cosines[bin]
                    powers[bin] = totalReal * totalReal + totalImaginary * totalImaginary
                }
            }
        }
    }
}
