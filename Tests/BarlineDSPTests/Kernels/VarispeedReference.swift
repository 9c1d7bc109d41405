import CKernels

@testable import BarlineDSP

/// The varispeed reader as a sum over single frames, in the order that ``dsp_read`` promises.
enum VarispeedReference {
    /// The frame at a position; `held` are the indices, from the region's first frame on, that its buffer has.
    static func frame(
        of region: SourceRegion, at position: SourcePosition, rate: Double, held: Range<Int>
    ) -> StereoFrame {
        let filter = VarispeedKernel.shared.filter(rate: rate)
        if rate <= 1, hasMidpoints(region, around: Int(position.whole)) {
            return narrow(region, position, held)
        }
        let lower = sum(region, position, filter.lower.pointee)
        guard filter.blend != 0 else { return lower }
        let upper = sum(region, position, filter.upper.pointee)
        return StereoFrame(
            left: lower.left + filter.blend * (upper.left - lower.left),
            right: lower.right + filter.blend * (upper.right - lower.right))
    }

    private static func sum(_ region: SourceRegion, _ position: SourcePosition, _ filter: dsp_filter) -> StereoFrame {
        let (phase, rest) = position.fraction.multipliedFullWidth(by: UInt64(filter.phases))
        let between = Float(rest / (1 << 40)) * 0x1p-24
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

    /// Whether all midpoints that a position depends on are there, and are those of the endless loop where it is one.
    private static func hasMidpoints(_ region: SourceRegion, around frame: Int) -> Bool {
        guard let midpoints = region.midpoints else { return false }
        if !region.loops {
            let before = min(midpoints.framesBefore, region.framesBefore)
            let after = min(midpoints.framesAfter, region.framesAfter)
            return (4 - before..<region.length + after - 4).contains(frame)
        }
        let within = (frame % region.length + region.length) % region.length
        return region.wrap != nil || within >= 52 && within < region.length - region.seamLength - 52
    }

    /// Sixteen taps half a frame apart, of frames and what lies half way between them.
    private static func narrow(
        _ region: SourceRegion, _ position: SourcePosition, _ held: Range<Int>
    ) -> StereoFrame {
        guard let weights = VarispeedKernel.shared.filter(rate: 1).lower.pointee.narrow_weights else {
            return StereoFrame(left: .nan, right: .nan)
        }
        let half = Int(position.fraction >> 63)
        let fraction = position.fraction << 1
        let phase = Int(fraction >> 55)
        let between = Float((fraction << 9) >> 40) * 0x1p-24
        // In halves of a frame.
        let first = 2 * Int(position.whole) + half - 7
        var left = [Float](repeating: 0, count: 8)
        var right = left
        for row in 0..<2 {
            for lane in 0..<8 {
                let near = weights[16 * phase + 8 * row + lane]
                let far = weights[16 * (phase + 1) + 8 * row + lane]
                let weight = near + between * (far - near)
                let place = first + 2 * lane + row
                let frame =
                    place % 2 == 0
                    ? sample(region, place / 2, held) : midpoint(region, after: (place - 1) / 2, held)
                left[lane] += weight * frame.left
                right[lane] += weight * frame.right
            }
        }
        return StereoFrame(left: total(left), right: total(right))
    }

    private static func midpoint(_ region: SourceRegion, after frame: Int, _ held: Range<Int>) -> StereoFrame {
        var (left, right) = (0.0, 0.0)
        for (tap, weight) in Midpoints.weights.enumerated() {
            let (before, after) = (sample(region, frame - tap, held), sample(region, frame + 1 + tap, held))
            left += weight * (Double(before.left) + Double(after.left))
            right += weight * (Double(before.right) + Double(after.right))
        }
        return StereoFrame(left: Float(left), right: Float(right))
    }

    private static func sample(_ region: SourceRegion, _ frame: Int, _ held: Range<Int>) -> StereoFrame {
        if region.loops { return region.frame(at: frame) }
        if !held.contains(frame) { return StereoFrame(left: 0, right: 0) }
        return StereoFrame(left: region.left[frame], right: region.right[frame])
    }

    private static func total(_ lanes: [Float]) -> Float {
        let even = (lanes[0] + lanes[4]) + (lanes[2] + lanes[6])
        let odd = (lanes[1] + lanes[5]) + (lanes[3] + lanes[7])
        return even + odd
    }
}
