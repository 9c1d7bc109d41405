import BarlineTime

/// One change of the timeline: of tempo, metre, sample rate, of the device's clock, or of whether the transport rolls.
///
/// ``Timeline`` makes it when the change has been made, and each thing that lies on the timeline is given it once: what
/// it has worked out of the timeline, it works out anew. What it needs of the timeline as it was is in ``from`` and in
/// ``Timeline/former``.
struct Retiming: BitwiseCopyable, Hashable, Sendable {
    /// The kind of the change.
    enum Change: BitwiseCopyable, Hashable, Sendable {
        /// The transport rolls from `beat` on, or goes on from there: beats before it have nothing to do with those after.
        case started(beat: Beat)
        /// The transport has stopped.
        case stopped
        /// The tempo changes to another one, at once or over a ramp.
        case tempo(Tempo, rampBeats: Double)
        /// A ramp is over: the tempo is constant from now on, and nothing else is another.
        case settled
        /// The metre changes on a bar line.
        case metre(TimeSignature, line: Beat)
        /// Frames are of another length.
        case sampleRate
        /// The device's clock has jumped, and every beat falls ``Retiming/shift`` frames later.
        case clock
    }

    /// The present frame, as the timeline has it.
    struct Moment: BitwiseCopyable, Hashable, Sendable {
        /// Its beat; within a timeline that does not roll, the one that it would be.
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
    /// The frames by which every beat falls later than it would have.
    let shift: Int64

    @_noLocks init(_ change: Change, from: Moment, to: Moment, shift: Int64 = 0) {
        self.change = change
        self.from = from
        self.to = to
        self.shift = shift
    }

    /// What is reported of it; nothing of a ramp's end.
    var event: EngineEvent.Kind? {
        @_noLocks get {
            switch change {
            case .started(let beat): .transport(.started(beat: beat))
            case .stopped: .transport(.stopped)
            case .tempo(let tempo, let rampBeats):
                .transport(.tempoChanged(tempo: tempo, beat: to.beat, rampBeats: rampBeats))
            case .settled: nil
            case .metre(let timeSignature, let line):
                .transport(.timeSignatureChanged(timeSignature, beat: line))
            case .sampleRate: .transport(.sampleRateChanged(to.sampleRate))
            case .clock: .transport(.clockJumped(frames: -shift))
            }
        }
    }
}
