import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineFiles

/// Integer files are dithered: what is lost becomes noise of one kind, whatever the signal.
@Suite("Dither")
struct DitherTests {
    /// The errors, in steps, of what was written for `signal`, which is given in steps.
    private func errors(of signal: [Double], format: SampleFormat) throws -> [Double] {
        let full = format == .integer16 ? 32_768.0 : 8_388_608.0
        let samples = signal.map { Float($0 / full) }
        let folder = try TemporaryFolder()
        let writer = try AudioFileWriter(path: folder.path("a.wav"), sampleRate: .standard, format: format)
        try writer.write(left: samples, right: samples, frames: samples.count)
        try writer.finish()
        let codes = try WaveContents(path: folder.path("a.wav")).channels[0]
        return zip(codes, samples).map { Double($0) - Double($1) * full }
    }

    private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    private func variance(_ values: [Double]) -> Double {
        let mean = mean(values)
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    }

    @Test(
        "The error's mean is 0 and its power a quarter of a step squared",
        arguments: [SampleFormat.integer16, .integer24])
    func statistics(format: SampleFormat) throws {
        let signal = (0..<100_000).map { 2_000 * sin(Double($0) * 0.0123) }
        let errors = try errors(of: signal, format: format)
        #expect(abs(mean(errors)) < 0.01)
        #expect(abs(variance(errors) - 0.25) < 0.01)
        #expect(errors.allSatisfy { abs($0) <= 1.5 })
    }

    @Test(
        "Mean and power are the same wherever between two steps the signal lies",
        arguments: [0, 0.125, 0.25, 0.5, 0.875])
    func independence(fraction: Double) throws {
        let errors = try errors(of: [Double](repeating: 100 + fraction, count: 60_000), format: .integer16)
        #expect(abs(mean(errors)) < 0.015)
        #expect(abs(variance(errors) - 0.25) < 0.015)
    }

    @Test("The error knows nothing of the signal, of its neighbour, or of the other channel")
    func correlation() throws {
        let signal = (0..<100_000).map { 0.9 * sin(Double($0) * 0.0321) }
        let errors = try errors(of: signal, format: .integer16)
        func correlation(_ first: ArraySlice<Double>, _ second: ArraySlice<Double>) -> Double {
            let product = zip(first, second).reduce(0) { $0 + $1.0 * $1.1 }
            let powers = first.reduce(0) { $0 + $1 * $1 } * second.reduce(0) { $0 + $1 * $1 }
            return product / powers.squareRoot()
        }
        #expect(abs(correlation(errors[...], signal[...])) < 0.02)
        #expect(abs(correlation(errors.dropFirst(), errors.dropLast())) < 0.02)
    }

    @Test("The sum of the dither's two parts is triangular")
    func triangular() throws {
        // Of an error of rounding with triangular dither on a whole step: −1, 0 and 1 with 1/8, 3/4 and 1/8.
        let errors = try errors(of: [Double](repeating: 100, count: 80_000), format: .integer16)
        func share(_ value: Double) -> Double { Double(errors.count { $0 == value }) / Double(errors.count) }
        #expect(abs(share(0) - 0.75) < 0.01)
        #expect(abs(share(1) - 0.125) < 0.01)
        #expect(abs(share(-1) - 0.125) < 0.01)
    }

    @Test("Beyond full scale it is limited, not wrapped")
    func limits() throws {
        let folder = try TemporaryFolder()
        for format in [SampleFormat.integer16, .integer24] {
            let writer = try AudioFileWriter(path: folder.path("a.wav"), sampleRate: .standard, format: format)
            let loud: [Float] = [1, -1, 2, -2, .infinity, -.infinity, 1e30]
            try writer.write(left: loud, right: loud, frames: loud.count)
            try writer.finish()
            let full: Float = format == .integer16 ? 32_768 : 8_388_608
            let codes = try WaveContents(path: folder.path("a.wav")).channels[0]
            #expect(Array(codes[2...]) == [full - 1, -full, full - 1, -full, full - 1])
        }
    }
}
