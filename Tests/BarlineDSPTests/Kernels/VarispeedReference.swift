import CKernels

@testable import BarlineDSP

/// The varispeed reader as a sum over single frames, in the order that ``dsp_read`` promises.
enum VarispeedReference {
    static func frame(of region: SourceRegion, at position: SourcePosition, rate: Double) -> StereoFrame {
        let filter = VarispeedKernel.shared.filter(rate: rate)
        let lower = sum(region, position, filter.lower.pointee)
        guard filter.blend != 0 else { return lower }
        let upper = sum(region, position, filter.upper.pointee)
        return StereoFrame(
            left: lower.left + filter.blend * (upper.left - lower.left),
            right: lower.right + filter.blend * (upper.right - lower.right))
    }

    private static func sum(_ region: SourceRegion, _ position: SourcePosition, _ filter: dsp_filter) -> StereoFrame {
        let phases = 1 << filter.phase_bits
        let phase = position.fraction / UInt64(1 << (64 - filter.phase_bits))
        let between = Float((position.fraction &* UInt64(phases)) / (1 << 40)) * 0x1p-24
        var left = [Float](repeating: 0, count: 8)
        var right = left
        for tap in 0..<filter.taps {
            let near = filter.weights[Int(phase) * filter.taps + tap]
            let far = filter.weights[Int(phase + 1) * filter.taps + tap]
            let weight = near + between * (far - near)
            let frame = region.frame(at: Int(position.whole) - (filter.taps / 2 - 1) + tap)
            left[tap % 8] += weight * frame.left
            right[tap % 8] += weight * frame.right
        }
        return StereoFrame(left: total(left), right: total(right))
    }

    private static func total(_ lanes: [Float]) -> Float {
        let even = (lanes[0] + lanes[4]) + (lanes[2] + lanes[6])
        let odd = (lanes[1] + lanes[5]) + (lanes[3] + lanes[7])
        return even + odd
    }
}
