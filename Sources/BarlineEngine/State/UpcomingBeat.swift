import BarlineTime

/// A pulse of the metre and its frame, unless tempo or metre change before it.
public struct UpcomingBeat: Hashable, Sendable, BitwiseCopyable {
    /// Its frame.
    public let frame: FrameTime
    /// The bar, counted from 1; 0 and below in a count-in.
    public let bar: Int
    /// The pulse in the bar, counted from 1.
    public let pulse: Int
    /// Whether the metronome's pattern accents it.
    public let isAccented: Bool

    /// Creates a beat; see the properties for what the parameters mean.
    package init(frame: FrameTime, bar: Int, pulse: Int, isAccented: Bool) {
        self.frame = frame
        self.bar = bar
        self.pulse = pulse
        self.isAccented = isAccented
    }
}

extension EngineState {
    /// The beats that a listener has yet to hear, for a display in sync with the sound. Of those that were rendered
    /// already, the latest sixteen are known.
    ///
    /// - Parameter outputLatency: the time from the rendering of a frame to its playback, in seconds, as the output
    ///   reports it.
    /// - Returns: the beats, each with the seconds until it is audible.
    /// - Complexity: O(*n*) in the beats that the state holds.
    public func beatsToHear(outputLatency: Double) -> [(beat: UpcomingBeat, seconds: Double)] {
        (recentBeats + upcomingBeats).map { beat in
            (beat, sampleRate.seconds(frames: beat.frame - frame) + outputLatency)
        }.filter { $0.seconds >= 0 }
    }

    /// The beat that a listener hears now: the latest one that has become audible.
    public func audibleBeat(outputLatency: Double) -> UpcomingBeat? {
        recentBeats.last { sampleRate.seconds(frames: $0.frame - frame) + outputLatency <= 0 }
    }
}
