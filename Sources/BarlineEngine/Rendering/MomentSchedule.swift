import BarlineTime
import CRealtime

/// The pending commands that wait for a beat, a bar line or a time of the host's clock. For the audio thread.
///
/// None of them has a frame before it is due: the tempo, the metre and the device's clock may move it. Within each kind
/// the order is that of the moments, whatever moves, so that only the first of each is ever examined.
struct MomentSchedule: ~Copyable, @unchecked Sendable {
    private var beats: CommandSchedule
    private var bars: CommandSchedule
    private var hostTimes: CommandSchedule
    /// The host's clock, as far as ``hasHostClock`` says that there is one.
    private(set) var hostClock: HostTimeMap
    private(set) var hasHostClock = false
    /// The time at which the output requested a frame last, and that frame.
    private(set) var lastTime = HostTime(rawValue: 0)
    private(set) var lastFrame = FrameTime.zero

    /// A kind of moment.
    private enum Kind: BitwiseCopyable {
        case beat
        case bar
        case host
    }

    init(in store: CommandStore, sampleRate: SampleRate) {
        beats = CommandSchedule(in: store)
        bars = CommandSchedule(in: store)
        hostTimes = CommandSchedule(in: store)
        hostClock = HostTimeMap(sampleRate: sampleRate)
    }

    /// The number of commands that wait.
    var count: Int { @_noLocks get { beats.count + bars.count + hostTimes.count } }

    /// Updates the host's clock with the time at which the output requested `frame`.
    @_noLocks mutating func update(hostTime: HostTime, frame: FrameTime) {
        hostClock.update(time: hostTime, frame: frame)
        (lastTime, lastFrame) = (hostTime, frame)
        hasHostClock = true
    }

    /// Continues at another sample rate; the host's clock is estimated again.
    @_noLocks mutating func changeSampleRate(to rate: SampleRate) {
        hostClock = HostTimeMap(sampleRate: rate)
        hasHostClock = false
    }

    /// Inserts a command that waits for a moment other than a frame, in at most log₂ of the capacity steps.
    @_noLocks mutating func insert(_ command: Command, _ timeline: borrowing Timeline) {
        var command = command
        switch command.wait {
        case .frame: break
        case .beat(let beat):
            command.due = FrameTime(rawValue: MomentSchedule.key(beat))
            beats.insert(command)
        case .bar(let bar):
            command.due = FrameTime(rawValue: bar)
            bars.insert(command)
        case .nextBar:
            command.due = FrameTime(rawValue: MomentSchedule.nextBar(timeline))
            bars.insert(command)
        case .host(let time):
            command.due = FrameTime(rawValue: time.rawValue)
            hostTimes.insert(command)
        }
    }

    /// The frame of the next command, or the end of time; below now if its moment has passed.
    @_noLocks func nextFrame(_ timeline: borrowing Timeline) -> FrameTime {
        earlier(frame(.beat, timeline), earlier(frame(.bar, timeline), frame(.host, timeline)))
    }

    /// The number of commands whose moment has no frame as long as nothing happens to the timeline: of those for beats
    /// and bars while the transport is stopped, and those for the host's clock while there is none.
    @_noLocks func stalledCount(_ timeline: borrowing Timeline) -> Int {
        (timeline.isRolling ? 0 : beats.count + bars.count) + (hasHostClock ? 0 : hostTimes.count)
    }

    /// The number of the next due command, which orders commands due at the same frame; the largest integer if none is
    /// due.
    @_noLocks func nextDueNumber(_ timeline: borrowing Timeline) -> Int { number(nextDueKind(timeline), timeline) }

    /// Removes the next due command, with the frame of its moment; there must be one.
    @_noLocks mutating func removeNextDue(_ timeline: borrowing Timeline) -> Command {
        let kind = nextDueKind(timeline)
        let frame = frame(kind, timeline)
        var command: Command
        switch kind {
        case .beat: command = beats.removeNext()
        case .bar: command = bars.removeNext()
        case .host: command = hostTimes.removeNext()
        }
        command.frame = frame
        return command
    }

    /// Whether the invariants hold: each kind is in the order of its moments. O(pending commands).
    @_noLocks func checkInvariants() -> Bool {
        beats.checkInvariants() && bars.checkInvariants() && hostTimes.checkInvariants()
    }

    @_noLocks private func nextDueKind(_ timeline: borrowing Timeline) -> Kind {
        let beat = number(.beat, timeline)
        let bar = number(.bar, timeline)
        let host = number(.host, timeline)
        if beat <= bar, beat <= host { return .beat }
        return bar <= host ? .bar : .host
    }

    @_noLocks private func number(_ kind: Kind, _ timeline: borrowing Timeline) -> Int {
        if frame(kind, timeline) > timeline.now { return .max }
        switch kind {
        case .beat: return beats.nextNumber
        case .bar: return bars.nextNumber
        case .host: return hostTimes.nextNumber
        }
    }

    @_noLocks private func frame(_ kind: Kind, _ timeline: borrowing Timeline) -> FrameTime {
        switch kind {
        case .beat:
            let key = beats.nextFrame.rawValue
            return key == .max || !timeline.isRolling ? .never : timeline.tempo.frame(of: MomentSchedule.beat(key))
        case .bar:
            let bar = bars.nextFrame.rawValue
            return bar == .max || !timeline.isRolling
                ? .never : timeline.tempo.frame(of: timeline.metre.beat(ofBar: bar))
        case .host:
            let time = hostTimes.nextFrame.rawValue
            if time == .max || !hasHostClock { return .never }
            return FrameTime(rawValue: Int64(rt_floor(hostClock.exactFrame(at: HostTime(rawValue: time)) + 0.5)))
        }
    }

    /// The bar whose line is at or after now; the first one if the transport is stopped.
    @_noLocks private static func nextBar(_ timeline: borrowing Timeline) -> Int64 {
        if !timeline.isRolling { return 0 }
        let bar = Int64(rt_floor(timeline.metre.bars(at: timeline.currentBeat)))
        return timeline.tempo.frame(of: timeline.metre.beat(ofBar: bar)) >= timeline.now ? bar : bar + 1
    }

    /// An integer that sorts like the beat.
    @_noLocks private static func key(_ beat: Beat) -> Int64 {
        let bits = Int64(bitPattern: beat.rawValue.bitPattern)
        return bits < 0 ? bits ^ .max : bits
    }

    @_noLocks private static func beat(_ key: Int64) -> Beat {
        Beat(rawValue: Double(bitPattern: UInt64(bitPattern: key < 0 ? key ^ .max : key)))
    }
}
