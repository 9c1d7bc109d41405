import BarlineTime

/// The tail that replaces the last frames of a loop whose two ends do not meet.
///
/// Over the last 5 ms the loop is blended into the frames that lead up to its start, so that the wrap goes from the
/// frame before the start to the start itself. Where the source has no frames there, the head is mirrored around the
/// start instead. The period of the loop is not changed.
package struct SeamFade: Sendable {
    /// What replaces the last `left.count` frames of the region.
    package let left: [Float]
    /// The right channel; `nil` where the source is mono.
    package let right: [Float]?

    /// The longest fade in seconds.
    package static let longest = 0.005
    /// Regions shorter than this are waveforms, not loops: what looks like a step is their timbre.
    package static let shortestRegion = 0.02

    /// Prepares the seam of `region`, or returns `nil` where its two ends meet.
    ///
    /// The ends meet where the step from the last frame to the first is no larger than one and a half times the
    /// largest step within 32 frames of either end.
    package init?(of buffer: SampleBuffer, region: Range<Int>) {
        let rate = buffer.sampleRate.hertz
        guard Double(region.count) >= SeamFade.shortestRegion * rate else { return nil }
        let channels = buffer.channelCount == 1 ? [buffer.left] : [buffer.left, buffer.right]
        guard channels.contains(where: { !SeamFade.endsMeet($0, region) }) else { return nil }
        let frames = Int(SeamFade.longest * rate)
        left = SeamFade.blend(buffer.left, region, frames)
        right = buffer.channelCount == 1 ? nil : SeamFade.blend(buffer.right, region, frames)
    }

    private static func endsMeet(_ samples: UnsafePointer<Float>, _ region: Range<Int>) -> Bool {
        let seam = abs(samples[region.lowerBound] - samples[region.upperBound - 1])
        var largest: Float = 0
        for offset in 1...32 {
            let head = region.lowerBound + offset
            let tail = region.upperBound - 1 - offset
            largest = max(largest, abs(samples[head] - samples[head - 1]), abs(samples[tail + 1] - samples[tail]))
        }
        return seam <= max(1.5 * largest, 1e-4)
    }

    private static func blend(_ samples: UnsafePointer<Float>, _ region: Range<Int>, _ frames: Int) -> [Float] {
        (0..<frames).map { index in
            let distance = frames - index
            let source = region.lowerBound - distance
            let lead = source >= 0 ? samples[source] : samples[region.lowerBound + distance]
            let own = samples[region.upperBound - distance]
            let weight = Float(index + 1) / Float(frames)
            return own + weight * (lead - own)
        }
    }
}
