import CKernels
import Foundation
import Testing

@testable import BarlineDSP

@Suite("Transform of grains")
struct TransformTests {
    private static func transform(_ real: [Float], _ imaginary: [Float], isInverse: Bool = false) -> ([Float], [Float])
    {
        let tables = StretchTables(size: real.count)
        let work = StretchWork(size: real.count)
        defer {
            tables.deallocate()
            work.deallocate()
        }
        for index in real.indices {
            work.time.real[index] = real[index]
            work.time.imaginary[index] = imaginary[index]
        }
        var transform = tables.transform
        if isInverse {
            dsp_run_transform(&transform, work.time.exchanged, work.spectrum.exchanged, work.stage.exchanged)
        } else {
            dsp_run_transform(&transform, work.time, work.spectrum, work.stage)
        }
        return (
            (0..<real.count).map { work.spectrum.real[$0] }, (0..<real.count).map { work.spectrum.imaginary[$0] }
        )
    }

    @Test("It is the sum over all samples", arguments: [256, 512, 1_024, 2_048, 4_096, 8_192, 16_384])
    func sums(size: Int) {
        let real = TestSound.noise(size, seed: 1)
        let imaginary = TestSound.noise(size, seed: 2)
        let (sumReal, sumImaginary) = Self.transform(real, imaginary)
        for bin in [0, 1, 2, 7, size / 4, size / 2 - 1, size / 2, size - 1, 3 * size / 5] {
            var expected = (0.0, 0.0)
            for index in 0..<size {
                let angle = -2 * .pi * Double(bin * index % size) / Double(size)
                expected.0 += Double(real[index]) * cos(angle) - Double(imaginary[index]) * sin(angle)
                expected.1 += Double(real[index]) * sin(angle) + Double(imaginary[index]) * cos(angle)
            }
            let distance = hypot(Double(sumReal[bin]) - expected.0, Double(sumImaginary[bin]) - expected.1)
            #expect(distance < 1e-6 * Double(size), "bin \(bin)")
        }
    }

    @Test("Back again it is what it was", arguments: [512, 4_096])
    func inverse(size: Int) {
        let real = TestSound.noise(size, seed: 3)
        let imaginary = TestSound.noise(size, seed: 4)
        let spectrum = Self.transform(real, imaginary)
        let (again, other) = Self.transform(spectrum.0, spectrum.1, isInverse: true)
        for index in 0..<size {
            #expect(abs(again[index] / Float(size) - real[index]) < 1e-5)
            #expect(abs(other[index] / Float(size) - imaginary[index]) < 1e-5)
        }
    }

    @Test("It gives the same bits with every set of instructions")
    func instructions() {
        let noise = TestSound.noise(2_048, seed: 5)
        var spectra: [[Float]] = []
        Instructions.forEach { _ in spectra.append(Self.transform(noise, noise.reversed()).0) }
        #expect(spectra.allSatisfy { $0 == spectra[0] })
    }
}
