import BarlineTime

/// One change of the timeline: of tempo, metre, sample rate, of the device's clock, or of whether the transport rolls.
///
/// ``Timeline`` creates it when the change has been made, and everything that lies on the timeline receives it once and
/// recomputes what it has derived from the timeline. The former timeline is available in ``from`` and
/// ``Timeline/former``.
struct Retiming: BitwiseCopyable, Hashable, Sendable {
    /// The kind of the change.
    enum Change: BitwiseCopyable, Hashable, Sendable {
        /// The transport rolls from `beat` on, or continues from there: beats before it are unrelated to those after.
        case started(beat: Beat)
        /// The transport has stopped.
        case stopped
        /// The tempo changes, at once or over a ramp.
        case tempo(Tempo, rampBeats: Double)
        /// A ramp has ended: the tempo is constant from now on, and nothing else changes.
        case rampEnded
        /// The metre changes on a bar line.
        case metre(TimeSignature, line: Beat)
        /// The length of a frame changes.
        case sampleRate
        /// The device's clock has jumped, and every beat falls ``Retiming/shift`` frames later.
        case clock
    }

    /// The present frame on a timeline.
    struct Moment: BitwiseCopyable, Hashable, Sendable {
        /// Its beat; if the transport does not roll, the one that it would have.
        let beat: Beat
        let sampleRate: SampleRate
        /// The length of a short fade.
        let fadeFrames: Int64

        @_noLocks init(beat: Beat, sampleRate: SampleRate, fadeFrames: Int64) {
            (self.beat, self.sampleRate, self.fadeFrames) = (beat, sampleRate, fadeFrames)
        }
    }

    let change: Change
    /// The present frame before the change.
    let from: Moment
    /// The present frame after it.
    let to: Moment
    /// The number of frames by which every beat is later than it would have been.
    let shift: Int64

    @_noLocks init(_ change: Change, from: Moment, to: Moment, shift: Int64 = 0) {
        self.change = change
        self.from = from
        self.to = to
        self.shift = shift
    }

    /// The event reported for it; `nil` for a ramp's end.
    var event: EngineEvent.Kind? {
        @_noLocks get {
            switch change {
            case .started(let beat): .transport(.started(beat: beat))
            case .stopped: .transport(.stopped)
            case .tempo(let tempo, let rampBeats):
                .transport(.tempoChanged(tempo: tempo, beat: to.beat, rampBeats: rampBeats))
            case .rampEnded: nil
            case .metre(let timeSignature, let line):
                .transport(.timeSignatureChanged(timeSignature, beat: line))
            case .sampleRate: .transport(.sampleRateChanged(to.sampleRate))
            case .clock: .transport(.clockJumped(frames: -shift))
            }
        }
    }
}
