import BarlineDSP

/// The memory that a clip is read from: the region that it plays, the lead-in before it, and what a loop needs where it
/// wraps. Its owner frees ``seam``, ``midpoints`` and ``wrap``.
struct ClipRegions {
    let seam: UnsafeMutablePointer<Float>
    /// The midpoints of a part of a long buffer; a short buffer owns its midpoints itself.
    let midpoints: Midpoints?
    let wrap: LoopWrap?
    let played: SourceRegion
    let lead: SourceRegion

    /// The longest region for which midpoints are computed, in frames: 43 s at 48 kHz, for which they take 16 MB in
    /// stereo. Longer ones are read with the wide filter.
    static let midpointLimit = ClipWindow.longestHeld

    /// Prepares `frames` of a buffer.
    ///
    /// - Parameters:
    ///   - buffer: the samples.
    ///   - frames: the frames that are played.
    ///   - loops: whether they are played as a loop.
    ///   - isRead: whether they are read at another rate than their own.
    init(of buffer: SampleBuffer, frames: Range<Int>, loops: Bool, isRead: Bool) {
        let fade = loops ? SeamFade(of: buffer, region: frames) : nil
        let seamLength = fade?.left.count ?? 0
        seam = .allocate(capacity: max(1, 2 * seamLength))
        if let fade {
            seam.initialize(from: fade.left, count: seamLength)
            (seam + seamLength).initialize(from: fade.right ?? fade.left, count: seamLength)
        }
        // Frames beside the region serve interpolation at its ends only, and are not played.
        let first = frames.lowerBound
        let seamLeft = UnsafePointer(seam)
        let seamRight = UnsafePointer(buffer.left == buffer.right ? seam : seam + seamLength)
        func region(framesBefore: Int) -> SourceRegion {
            SourceRegion(
                left: buffer.left + first, right: buffer.right + first, length: frames.count,
                framesBefore: framesBefore,
                framesAfter: min(buffer.frameCount - frames.upperBound, VarispeedKernel.largestSpan / 2),
                loops: loops, seamLeft: seamLeft, seamRight: seamRight, seamLength: seamLength)
        }
        var played = region(framesBefore: min(first, VarispeedKernel.largestSpan / 2))
        var lead = region(framesBefore: first)
        if isRead, buffer.frameCount <= ClipRegions.midpointLimit, buffer.partial == nil {
            midpoints = nil
            played.midpoints = .shared(by: buffer, frames: frames)
        } else {
            midpoints =
                isRead && frames.count <= ClipRegions.midpointLimit ? Midpoints(of: buffer, frames: frames) : nil
            played.midpoints = midpoints
        }
        lead.midpoints = played.midpoints
        wrap = loops ? LoopWrap(of: played) : nil
        played.wrap = wrap
        lead.wrap = wrap
        (self.played, self.lead) = (played, lead)
    }
}
