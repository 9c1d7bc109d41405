import BarlineDSP
import BarlineTime
import Foundation

@testable import BarlineEngine

/// A state-variable filter by itself, fed as a chain feeds it.
final class FilterBench {
    private(set) var filter: StateVariableFilter
    private(set) var frame = 0
    /// Whether the latest piece left the filter at rest.
    private(set) var isAtRest = true

    init(cutoff: Double, resonance: Double, mode: FilterMode, rate: Double) {
        filter = StateVariableFilter(
            [cutoff, resonance, Double(mode.rawValue)], sampleRate: SampleRate(unchecked: rate))
    }

    func set(_ parameter: Int, to target: Double, frames: Int) {
        _ = filter.run(
            .set(
                parameter: parameter, target: target, at: FrameTime(Int64(frame)), frames: Int64(frames),
                .natural))
    }

    /// What comes out where both channels get `input`.
    func filtered(_ input: [Float]) -> [Float] {
        var left = input
        var right = input
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
                guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return }
                var done = 0
                while done < input.count {
                    let count = min(input.count - done, 32 - frame % 32)
                    let piece = StereoBuffer(left: leftStart + done, right: rightStart + done)
                    isAtRest = filter.run(.process(piece, from: FrameTime(Int64(frame)), count: count))
                    done += count
                    frame += count
                }
            }
        }
        return left == right || left.contains(where: \.isNaN) ? left : []
    }
}

/// How many frames a resonance takes to fall by e to the power of `nepers`: from the radius at which the bilinear
/// transform puts the poles of the analogue circuit.
func ringFrames(cutoff: Double, resonance: Double, rate: Double, nepers: Double) -> Int {
    let gain = tan(.pi * cutoff / rate)
    let squaredRadius = (1 - gain / resonance + gain * gain) / (1 + gain / resonance + gain * gain)
    return Int(2 * nepers / -log(max(squaredRadius, 1e-30)))
}

/// The modes by the numbers that the parameter has.
enum FilterMode: Int, CaseIterable {
    case lowpass, highpass, bandpass, notch
}
