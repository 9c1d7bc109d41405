import BarlineTime

/// The tail that replaces the last frames of a loop whose two ends don't match.
///
/// Over the last 5 ms the loop is blended into the frames that lead up to its start, so that the wrap goes from the
/// frame before the start to the start itself. If the source has no frames there, the head is mirrored around the start
/// instead. The period of the loop is not changed.
@usableFromInline package struct SeamFade: Sendable {
    /// The samples that replace the last `left.count` frames of the region.
    package let left: [Float]
    /// The right channel; `nil` if the source is mono.
    package let right: [Float]?

    /// The longest fade in seconds.
    package static let longest = Ramp.fadeSeconds
    /// Regions shorter than this are waveforms, not loops: an apparent step is part of their timbre.
    package static let shortestRegion = 0.02
    /// The number of frame-to-frame steps on either side of the seam that its own step is compared with.
    @usableFromInline static var comparedSteps: Int { @_noLocks @inlinable get { 32 } }
    /// The factor by which the seam's step must exceed the largest of those to be audible.
    @usableFromInline static var audibleRatio: Float { @_noLocks @inlinable get { 1.5 } }
    /// The step that is inaudible whatever surrounds it: −80 dB of full scale.
    @usableFromInline static var inaudibleStep: Float { @_noLocks @inlinable get { 1e-4 } }

    /// Prepares the seam of `region`, or returns `nil` if its two ends match.
    ///
    /// The ends match if the step from the last frame to the first is no larger than ``audibleRatio`` times the largest
    /// step within ``comparedSteps`` frames of either end.
    package init?(of buffer: SampleBuffer, region: Range<Int>) {
        let rate = buffer.sampleRate.hertz
        guard Double(region.count) >= SeamFade.shortestRegion * rate else { return nil }
        let channels = buffer.left == buffer.right ? [buffer.left] : [buffer.left, buffer.right]
        let (first, end) = (region.lowerBound, region.upperBound)
        guard channels.contains(where: { !SeamFade.endsMatch($0, first: first, end: end) }) else { return nil }
        let frames = Int(SeamFade.longest * rate)
        func blend(_ samples: UnsafePointer<Float>) -> [Float] {
            [Float](unsafeUninitializedCapacity: frames) { tail, count in
                if let target = tail.baseAddress {
                    SeamFade.blend(samples, first: first, end: end, frames: frames, into: target)
                }
                count = frames
            }
        }
        left = blend(buffer.left)
        right = buffer.left == buffer.right ? nil : blend(buffer.right)
    }

    /// Whether the last frame before `end` leads to the one at `first` without a step.
    ///
    /// - Complexity: O(1).
    @_noLocks @inlinable package static func endsMatch(
        _ samples: UnsafePointer<Float>, first: Int, end: Int
    ) -> Bool {
        let seam = (samples[first] - samples[end - 1]).magnitude
        var largest: Float = 0
        for offset in 1...comparedSteps {
            let head = first + offset
            let tail = end - 1 - offset
            let headStep = (samples[head] - samples[head - 1]).magnitude
            let tailStep = (samples[tail + 1] - samples[tail]).magnitude
            if headStep > largest { largest = headStep }
            if tailStep > largest { largest = tailStep }
        }
        return seam <= inaudibleStep || seam <= audibleRatio * largest
    }

    /// Blends the last `frames` frames before `end` into those that lead up to `first`; if there are none, into the
    /// mirror image of those that follow it.
    ///
    /// - Complexity: O(`frames`).
    @_noLocks @inlinable package static func blend(
        _ samples: UnsafePointer<Float>, first: Int, end: Int, frames: Int, into tail: UnsafeMutablePointer<Float>
    ) {
        for index in 0..<frames {
            let distance = frames - index
            let source = first - distance
            let lead = source >= 0 ? samples[source] : samples[first + distance]
            let own = samples[end - distance]
            let weight = Float(index + 1) / Float(frames)
            tail[index] = own + weight * (lead - own)
        }
    }
}
