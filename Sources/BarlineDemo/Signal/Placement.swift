/// The placement of a voice: in time, in level and between the speakers.
struct Placement: Sendable {
    /// The beat it starts on, from 0 at the start of the loop.
    let beat: Double
    /// Seconds early (negative) or late of that beat.
    var nudge = 0.0
    /// Linear gain.
    var gain = 1.0
    /// -1 is hard left, 1 hard right.
    var pan = 0.0

    /// The gain of each channel, equal in power all the way across, and the very same in the middle.
    var gains: StereoSample {
        let turns = (pan + 1) / 8
        return StereoSample(Maths.sine(turns: 0.25 - turns), Maths.sine(turns: turns)) * (gain * 2.0.squareRoot())
    }
}
