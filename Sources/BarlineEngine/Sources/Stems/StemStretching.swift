import BarlineDSP
import BarlineTime

/// The attacks of a time-stretched stem. Read by feeder threads, several at once.
package protocol StemMarks: Sendable {
    /// The marks at the frames `range` of the stem's source, in order. May wait for a disk.
    func marks(in range: Range<Int64>) throws -> [StretchMark]
    /// Cancels waiting.
    func cancel()
}

/// The time-stretch of a stem; its source delivers the audio at the intended pitch.
package struct StemStretching: Sendable {
    /// The sample rate at which the source's frames have that pitch.
    package let pitchRate: SampleRate
    /// Its attacks.
    package let marks: any StemMarks

    /// Creates the time-stretch of a stem whose frames have their pitch at `pitchRate`.
    package init(pitchRate: SampleRate, marks: any StemMarks) {
        self.pitchRate = pitchRate
        self.marks = marks
    }
}
