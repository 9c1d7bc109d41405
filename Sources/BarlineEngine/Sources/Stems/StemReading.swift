import BarlineDSP
import BarlineTime

/// A head's position in the stems: all of them are read at one position.
///
/// Its position follows from its anchor: a clock of its own in frames, or the beat if the stems follow the tempo. The
/// line only restates that for the current segment of constant tempo.
struct StemReading: BitwiseCopyable, @unchecked Sendable {
    let set: UnsafePointer<StemSetContent>
    /// The fade-in of stems that start on time from within their file, on a frame that would click.
    var fileFadeIn = Ramp(constant: 1)
    /// Whether a stem has underrun: all are silent until each has enough data again, while the position moves on.
    var isStarved = false
    /// The lane of stretch voices that it uses.
    var lane = 0

    var anchorFrame: FrameTime
    var anchorBeat: Beat
    /// The position at the anchor, in seconds.
    var anchorSeconds: Double

    var lineFrame: FrameTime
    var lineSeconds: Double
    /// Seconds of the stems per second of output.
    var speed = 1.0

    @_noLocks init(set: UnsafePointer<StemSetContent>, seconds: Double, frame: FrameTime, beat: Beat) {
        self.set = set
        anchorFrame = frame
        anchorBeat = beat
        anchorSeconds = seconds
        lineFrame = frame
        lineSeconds = seconds
    }

    var followsTempo: Bool { @_noLocks get { set.pointee.recordedTempo > 0 } }

    /// Source frames of a stem per output frame.
    @_noLocks func rate(of part: UnsafePointer<StemPart>, sampleRate: SampleRate) -> Double {
        part.pointee.sourceRate * speed / sampleRate.hertz
    }

    /// The source position of a stem at `frame`, within the segment of constant tempo that the line is for.
    @_noLocks func position(
        of part: UnsafePointer<StemPart>, at frame: FrameTime, sampleRate: SampleRate
    ) -> SourcePosition {
        SourcePosition(snapping: part.pointee.offset + lineSeconds * part.pointee.sourceRate)
            .advanced(by: SourcePosition(rate(of: part, sampleRate: sampleRate)), times: frame - lineFrame)
    }

    /// The position in seconds at `frame`, the present one, described by `moment`.
    @_noLocks func seconds(at frame: FrameTime, _ moment: Retiming.Moment) -> Double {
        if followsTempo { return seconds(atBeat: moment.beat.rawValue) }
        return anchorSeconds + Double(frame - anchorFrame) / moment.sampleRate.hertz
    }

    /// The position in seconds at `beat`, for stems that follow the tempo.
    @_noLocks func seconds(atBeat beat: Double) -> Double {
        anchorSeconds + Tempo.seconds(of: beat - anchorBeat.rawValue, at: set.pointee.recordedTempo)
    }
}

/// A position at which the stems are read, from one deck.
struct StemHead: BitwiseCopyable, @unchecked Sendable {
    let deck: Int
    let envelope: Ramp
    let reading: StemReading

    @_noLocks init(_ head: StreamHead, _ reading: StemReading) {
        deck = head.deck
        envelope = head.envelope
        self.reading = reading
    }

    /// The fade-in of a stem, in addition to the envelope. The file's own beginning is faded in by its reader.
    @_noLocks func fileFadeIn(of part: UnsafePointer<StemPart>) -> Ramp {
        let isWithinFile = part.pointee.offset >= 1
        return isWithinFile && part.pointee.startsLoud(onDeck: deck) ? reading.fileFadeIn : Ramp(constant: 1)
    }
}
