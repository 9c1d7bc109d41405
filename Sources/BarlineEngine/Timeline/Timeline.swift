import BarlineDSP
import BarlineTime
import CRealtime

/// The engine's timeline on the audio thread, which maps frames to beats: tempo, metre, the start of the transport, the
/// song position and the device's clock.
///
/// Time advances with ``now``. Everything else changes through a function that returns a ``Retiming``, which must be
/// passed to everything that lies on the timeline before the timeline is used again.
struct Timeline: ~Copyable, @unchecked Sendable {
    /// The next frame to render.
    var now = FrameTime(rawValue: 0)
    private(set) var sampleRate: SampleRate
    /// The length of every fade that does not specify one, in frames.
    private(set) var fadeFrames: Int64
    private(set) var tempo: TempoMap
    private(set) var metre: MetreMap
    var song = SongPosition()
    private(set) var isRolling = false
    /// The frame at which the transport started.
    private(set) var rollFrame = FrameTime(rawValue: 0)
    private(set) var rollBeat = Beat(rawValue: 0)
    /// How often the transport was started.
    private(set) var rollCount = 0

    /// Whether a source has started the transport, which stops with it unless others hold the beats.
    var endsWithSource = false

    /// The tempo map ended by the latest start, stop or jump of the clock, and its start.
    private(set) var former: TempoMap
    private(set) var formerRollFrame = FrameTime(rawValue: 0)

    /// The tempo of a scene, which takes effect at a boundary.
    private var queuedTempo = Tempo.standard
    private var queuedTempoBoundary = GridPoint.beat(Beat(rawValue: 0))
    /// Its frame, or the end of time if none is queued.
    private(set) var queuedTempoFrame = FrameTime.never

    /// The number of count-in bars when the transport is started.
    var countInBars: Int
    var countIn = CountIn()
    /// How far past its position in the bar an entry still starts at once: a fraction of the period.
    var snapTolerance: Double

    private var clock = DeviceClock()
    private let resyncThreshold: Double

    init(_ configuration: EngineConfiguration) {
        sampleRate = configuration.sampleRate
        fadeFrames = configuration.sampleRate.frames(seconds: Ramp.fadeSeconds)
        tempo = TempoMap(tempo: configuration.tempo, sampleRate: configuration.sampleRate)
        former = TempoMap(tempo: configuration.tempo, sampleRate: configuration.sampleRate)
        metre = MetreMap(configuration.timeSignature)
        countInBars = configuration.metronome.countInBars
        snapTolerance = configuration.snapTolerance
        resyncThreshold = configuration.resyncThreshold
    }

    /// The current beat; 0 while the transport is stopped.
    var currentBeat: Beat { @_noLocks get { isRolling ? tempo.beat(at: now) : Beat(rawValue: 0) } }

    /// The present frame on the timeline.
    var moment: Retiming.Moment {
        @_noLocks get { Retiming.Moment(beat: tempo.beat(at: now), sampleRate: sampleRate, fadeFrames: fadeFrames) }
    }

    /// Advances time.
    @_noLocks mutating func advance(by frames: Int64) { now = now + frames }

    /// Whether the tempo is ramping.
    var isRamping: Bool { @_noLocks get { isRolling && tempo.segment(at: now).constantFrom > now } }

    /// Computes the beats of the next `count` frames, within one tempo segment.
    @_noLocks func findBeats(_ beats: UnsafeMutablePointer<Double>, count: Int) {
        let segment = tempo.segment(at: now)
        for index in 0..<count { beats[index] = segment.beat(at: now + Int64(index)).rawValue }
    }

    @_noLocks private func retiming(
        _ change: Retiming.Change, from: Retiming.Moment, shift: Int64 = 0
    ) -> Retiming {
        assert(checkInvariants(), "what is queued lies on a timeline that rolls, not in the past")
        return Retiming(change, from: from, to: moment, shift: shift)
    }

    /// Whether the invariants hold: queued changes are for a rolling transport, values derived from the sample rate
    /// match it, and the maps are valid. O(changes).
    @_noLocks func checkInvariants() -> Bool {
        return (isRolling || !hasQueuedTempo) && queuedTempoFrame >= now
            && fadeFrames == sampleRate.frames(seconds: Ramp.fadeSeconds) && countIn.start.rawValue <= 0
            && tempo.checkInvariants() && former.checkInvariants() && metre.checkInvariants() && song.checkInvariants()
    }

    // MARK: Transport

    /// Starts the transport at `frame`, `lead` quarter notes before the grid's origin, beat 0, or with a count-in. With
    /// neither it starts from `entry`, the beat at or after the origin at which a source will enter.
    @_noLocks mutating func start(lead: Double, entry: Double = 0, at frame: FrameTime) -> Retiming {
        let bar = metre.timeSignature(at: Beat(rawValue: 0)).quartersPerBar
        let counted = Double(countInBars) * bar
        let first = lead > counted ? lead : counted
        countIn = CountIn(start: Beat(rawValue: -counted), end: Beat(rawValue: counted > 0 ? entry : 0))
        return roll(from: Beat(rawValue: first > 0 ? -first : entry), at: frame)
    }

    /// Starts the transport at `frame` from the grid's origin, without a count-in.
    @_noLocks mutating func startUncounted(at frame: FrameTime) -> Retiming {
        countIn = CountIn()
        return roll(from: Beat(rawValue: 0), at: frame)
    }

    /// Continues from `beat`, in the latest metre, as if the transport had just been started there.
    @_noLocks mutating func restart(from beat: Beat) -> Retiming {
        metre.reset(to: metre.timeSignature(at: Beat(rawValue: .greatestFiniteMagnitude)))
        countIn = CountIn()
        return roll(from: beat, at: now)
    }

    @_noLocks private mutating func roll(from beat: Beat, at frame: FrameTime) -> Retiming {
        let from = moment
        keepFormer()
        tempo.reset(startFrame: frame, startBeat: beat, tempo: tempo.tempo(at: now))
        song.restart()
        isRolling = true
        rollFrame = frame
        rollBeat = beat
        rollCount &+= 1
        return retiming(.started(beat: beat), from: from)
    }

    /// Stops the transport, which must roll.
    @_noLocks mutating func stop() -> Retiming {
        assert(isRolling, "only what rolls is stopped")
        let from = moment
        keepFormer()
        metre.reset(to: metre.timeSignature(at: Beat(rawValue: .greatestFiniteMagnitude)))
        tempo.reset(startFrame: now, startBeat: Beat(rawValue: 0), tempo: tempo.tempo(at: now))
        isRolling = false
        song.restart()
        endsWithSource = false
        queuedTempoFrame = .never
        return retiming(.stopped, from: from)
    }

    @_noLocks private mutating func keepFormer() {
        former.copy(tempo)
        formerRollFrame = rollFrame
    }

    // MARK: Tempo

    /// Changes the tempo from now on; if the transport is stopped, at once.
    @_noLocks mutating func changeTempo(to target: Tempo, rampBeats: Double) -> Retiming {
        let from = moment
        if isRolling {
            tempo.change(at: now, to: target, overBeats: rampBeats)
            resolveQueuedTempo()
            return retiming(.tempo(target, rampBeats: rampBeats), from: from)
        }
        tempo.reset(startFrame: now, startBeat: Beat(rawValue: 0), tempo: target)
        return retiming(.tempo(target, rampBeats: 0), from: from)
    }

    /// Queues a tempo for a boundary, whose frame is `frame`.
    @_noLocks mutating func queueTempo(_ target: Tempo, boundary: GridPoint, frame: FrameTime) {
        queuedTempo = target
        queuedTempoBoundary = boundary
        queuedTempoFrame = frame
    }

    /// Whether a scene's tempo waits for its boundary.
    var hasQueuedTempo: Bool { @_noLocks get { !queuedTempoFrame.isNever } }

    @_noLocks mutating func dropQueuedTempo() { queuedTempoFrame = .never }

    /// The change to the queued tempo, if its boundary has been reached.
    @_noLocks mutating func takeQueuedTempo() -> Retiming? {
        if !isRolling || queuedTempoFrame > now { return nil }
        dropQueuedTempo()
        return changeTempo(to: queuedTempo, rampBeats: 0)
    }

    @_noLocks private mutating func resolveQueuedTempo() {
        if !hasQueuedTempo { return }
        let resolved = tempo.frame(of: queuedTempoBoundary.beat(in: metre))
        queuedTempoFrame = resolved > now ? resolved : now
    }

    /// The end of a tempo ramp, if it is now; a segment that was constant from the start also ends one, at its
    /// beginning.
    @_noLocks func endOfRamp() -> Retiming? {
        if !isRolling || tempo.segment(at: now).constantFrom != now { return nil }
        let moment = moment
        return Retiming(.rampEnded, from: moment, to: moment)
    }

    /// The next frame after now at which the timeline itself changes, or the end of time.
    @_noLocks func nextDue() -> FrameTime {
        if !isRolling { return .never }
        let constantFrom = tempo.segment(at: now).constantFrom
        if constantFrom > now, constantFrom < queuedTempoFrame { return constantFrom }
        return queuedTempoFrame
    }

    // MARK: Metre

    /// Changes the metre on the next bar line; if the transport is stopped, at once.
    @_noLocks mutating func changeMetre(to timeSignature: TimeSignature) -> Retiming {
        let from = moment
        var line = Beat(rawValue: 0)
        if isRolling {
            line = metre.change(atOrAfter: earliestMetreChange, to: timeSignature)
            resolveQueuedTempo()
        } else {
            metre.reset(to: timeSignature)
        }
        return retiming(.metre(timeSignature, line: line), from: from)
    }

    /// The earliest beat at which a bar line may change the metre: a line that was rounded to this frame still may. The
    /// count-in's bars are unchanged, because beat 0 is always the origin.
    private var earliestMetreChange: Beat {
        @_noLocks get {
            let beat = tempo.beat(at: now)
            if beat.rawValue < 0 { return Beat(rawValue: 0) }
            let line = metre.beat(ofBar: Int64(rt_floor(metre.bars(at: beat))))
            return tempo.frame(of: line) >= now ? line : beat
        }
    }

    // MARK: The device

    /// Continues at another sample rate, with beat and tempo unchanged.
    @_noLocks mutating func changeSampleRate(to rate: SampleRate) -> Retiming {
        let from = moment
        tempo.changeSampleRate(at: now, to: rate)
        sampleRate = rate
        fadeFrames = rate.frames(seconds: Ramp.fadeSeconds)
        clock.reset()
        resolveQueuedTempo()
        return retiming(.sampleRate, from: from)
    }

    /// Resets the device's clock, because another device has another count.
    @_noLocks mutating func forgetDeviceClock() { clock.reset() }

    /// Compares the device's count at `now` with the rendered frames, and moves the timeline to the device's clock if
    /// they differ by more than the threshold.
    @_noLocks mutating func follow(deviceFrame: Int64) -> Retiming? {
        let deviation = clock.deviation(device: deviceFrame, engine: now)
        let seconds = Double(deviation) / sampleRate.hertz
        if seconds <= resyncThreshold, seconds >= -resyncThreshold { return nil }
        clock.anchor(device: deviceFrame, engine: now)
        // No clock runs so far back: the device has restarted its count.
        if seconds < -Timeline.longestStepBack { return nil }
        return jump(by: deviation)
    }

    /// Moves the timeline to a device's clock that is so many frames further.
    @_noLocks mutating func jump(by deviation: Int64) -> Retiming {
        let from = moment
        keepFormer()
        if isRolling {
            tempo.shift(by: -deviation)
            rollFrame = rollFrame + -deviation
        }
        resolveQueuedTempo()
        return retiming(.clock, from: from, shift: -deviation)
    }

    private static var longestStepBack: Double { @_noLocks get { 10 } }
}
