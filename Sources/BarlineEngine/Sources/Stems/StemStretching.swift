import BarlineDSP
import BarlineTime

/// The attacks of a time-stretched stem. Feeder threads read it, several at once.
package protocol StemMarks: Sendable {
    /// The marks at the frames `range` of the stem's source, in their order. May wait for a disk.
    func marks(in range: Range<Int64>) throws -> [StretchMark]
    /// Calls waiting off.
    func cancel()
}

/// The time-stretch of a stem, besides its source, which delivers it at the pitch that is to be heard.
package struct StemStretching: Sendable {
    /// The rate at which the source's frames are at that pitch.
    package let pitchRate: SampleRate
    /// Where its attacks are.
    package let marks: any StemMarks

    /// A stem whose frames are at their pitch at `pitchRate`.
    package init(pitchRate: SampleRate, marks: any StemMarks) {
        self.pitchRate = pitchRate
        self.marks = marks
    }
}
