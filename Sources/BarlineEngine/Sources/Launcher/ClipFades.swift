import BarlineDSP
import BarlineTime

/// The fades of a clip: its fade-in at its own first frame, and its fade-out.
struct ClipFades: BitwiseCopyable, Sendable {
    /// The shortest fade that keeps a step from clicking, in seconds.
    static var leastSeconds: Double { @_noLocks get { 0.0005 } }
    /// How far below its peak a clip's first frame makes no click: −60 dB.
    static var inaudible: Float { @_noLocks get { 0.001 } }

    private let fadeInSeconds: Double
    private let fadeOutSeconds: Double
    /// Whether the clip says how long its fade-in is, wherever that leaves the first transient.
    let hasOwnFadeIn: Bool
    /// Whether a start on the bare first frame would click.
    private(set) var startsLoud: Bool
    /// Whether a clip that plays once fades out before its end.
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

    /// The usual fades, for a take that is yet to be recorded.
    init() {
        fadeInSeconds = Ramp.fadeSeconds
        fadeOutSeconds = Ramp.fadeSeconds
        hasOwnFadeIn = false
        startsLoud = false
        fadesTail = true
    }

    @_noLocks mutating func setStartsLoud(_ value: Bool) { startsLoud = value }

    /// The frames of the fade-in.
    @_noLocks func fadeInFrames(_ sampleRate: SampleRate) -> Int64 { sampleRate.frames(seconds: fadeInSeconds) }

    /// The frames of the fade-out.
    @_noLocks func fadeOutFrames(_ sampleRate: SampleRate) -> Int64 { sampleRate.frames(seconds: fadeOutSeconds) }

    /// The frames that the shortest fade takes at least.
    @_noLocks static func leastFrames(_ sampleRate: SampleRate) -> Int64 {
        FrameRounding.atOrAfter(leastSeconds * sampleRate.hertz)
    }
}

extension ClipSettings {
    /// The source frame of `region` that falls on the boundary of a launch.
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
        return !region.contains { max(abs(left[$0]), abs(right[$0])) * ClipFades.inaudible >= first }
    }
}
