import BarlineDSP
import BarlineTime

/// The fades of a clip: its fade-in at its own first frame, and its fade-out.
struct ClipFades: BitwiseCopyable, Sendable {
    /// The shortest fade that keeps a step from clicking, in seconds.
    static var leastSeconds: Double { @_noLocks get { 0.0005 } }
    /// The level relative to its peak at which a clip's first frame is inaudible as a click: −60 dB.
    static var inaudible: Float { @_noLocks get { 0.001 } }

    private let fadeInSeconds: Double
    private let fadeOutSeconds: Double
    /// Whether the clip specifies its fade-in length, whatever that does to the first transient.
    let hasOwnFadeIn: Bool
    /// Whether a start on the bare first frame would click.
    private(set) var startsLoud: Bool
    /// Whether a one-shot clip fades out before its end.
    let fadesTail: Bool

    init(_ settings: ClipSettings, buffer: SampleBuffer, region: Range<Int>) {
        let last = region.upperBound - 1
        let endsSilent = buffer.left[last] == 0 && buffer.right[last] == 0
        fadeInSeconds = settings.fadeIn ?? Ramp.fadeSeconds
        fadeOutSeconds = max(settings.fadeOut ?? Ramp.fadeSeconds, ClipFades.leastSeconds)
        hasOwnFadeIn = settings.fadeIn != nil
        startsLoud = buffer.startsLoud(region, at: settings.firstFrame(of: region))
        fadesTail = !endsSilent || (settings.fadeOut ?? 0) > ClipFades.leastSeconds
    }

    /// The default fades, for a take that is yet to be recorded.
    init() {
        fadeInSeconds = Ramp.fadeSeconds
        fadeOutSeconds = Ramp.fadeSeconds
        hasOwnFadeIn = false
        startsLoud = false
        fadesTail = true
    }

    @_noLocks mutating func setStartsLoud(_ value: Bool) { startsLoud = value }

    /// The length of the fade-in, in frames.
    @_noLocks func fadeInFrames(_ sampleRate: SampleRate) -> Int64 { sampleRate.frames(seconds: fadeInSeconds) }

    /// The length of the fade-out, in frames.
    @_noLocks func fadeOutFrames(_ sampleRate: SampleRate) -> Int64 { sampleRate.frames(seconds: fadeOutSeconds) }

    /// The length of the shortest fade, in frames.
    @_noLocks static func leastFrames(_ sampleRate: SampleRate) -> Int64 {
        FrameRounding.atOrAfter(leastSeconds * sampleRate.hertz)
    }
}

extension ClipSettings {
    /// The source frame of `region` that is aligned with the boundary of a launch.
    fileprivate func firstFrame(of region: Range<Int>) -> Int {
        guard loops, playback != .original, let beats else { return region.lowerBound }
        let offset = (firstBeat / beats * Double(region.count)).rounded(.down)
        return region.lowerBound + min(region.count - 1, max(0, Int(offset)))
    }
}

extension SampleBuffer {
    /// Whether the frame at which a clip starts is above −60 dB of the region's peak.
    fileprivate func startsLoud(_ region: Range<Int>, at frame: Int) -> Bool {
        let first = max(abs(left[frame]), abs(right[frame]))
        if first == 0 { return false }
        if let partial { return !partial.hasPeak(in: region) { $0 * ClipFades.inaudible >= first } }
        return !region.contains { max(abs(left[$0]), abs(right[$0])) * ClipFades.inaudible >= first }
    }
}
