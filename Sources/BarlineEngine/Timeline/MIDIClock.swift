import BarlineTime
import CRealtime

/// The messages by which other machines follow the transport (MIDI 1.0 Detailed Specification, 1996: System Real Time
/// Messages, Song Position Pointer).
///
/// Tick `n` is on the frame of beat `n`/24. Start is on the frame of the song's beginning, before its tick; elsewhere,
/// and where the song's position jumps or loops, machines are stopped, told the position of a sixteenth to come, and
/// continue with its tick. A count-in has ticks alone. While the transport stands, ticks go on at its tempo, so that
/// machines know it, and machines are told where the song begins.
struct MIDIClock: BitwiseCopyable {
    private var isRolling = false
    /// The start of the transport that machines follow, or wait to.
    private var roll = 0
    /// The next tick of the beats.
    private var tick: Int64 = 0
    /// Whether machines were told to start, or to continue.
    private var isFollowed = false
    /// The song's tick that falls on ``tick``, as machines count.
    private var songTick: Int64 = 0
    /// While machines wait, the tick with which they go on, and the song's tick that falls on it; −1 where that is not
    /// known, and is looked for again.
    private var entry: Int64 = 0
    private var entrySongTick: Int64 = 0
    /// The position that machines were told, in sixteenths; −1 if they have gone on from there.
    private var toldSixteenth: Int64 = 0
    /// While the transport stands: the frame that ticks are counted from, how many there were, and at which tempo and
    /// sample rate.
    private var anchor = FrameTime(rawValue: 0)
    private var ticks: Int64 = 0
    private var tempo = 0.0
    private var hertz = 0.0
    /// The frame of the last tick; the end of time if there was none.
    private var lastTick = FrameTime.never

    static var ticksPerBeat: Double { @_noLocks get { 24 } }
    private static var ticksPerSixteenth: Int64 { @_noLocks get { 6 } }
    /// The most ticks of a slice: the fastest tempo has 13 at the lowest sample rate.
    private static var perSlice: Int { @_noLocks get { 16 } }
    /// The last sixteenth that a message can tell.
    private static var lastSixteenth: Int64 { @_noLocks get { 0x3fff } }

    /// Adds the messages of the timeline's next `count` frames, the first of which is `offset` frames into the block.
    ///
    /// - Parameters:
    ///   - buffer: where they go.
    ///   - offset: the frames of the block before the first one.
    ///   - count: 1 … ``BlockSlice/largestCount``; nothing else happens within them.
    ///   - delay: by how many frames messages are later.
    ///   - timeline: the timeline.
    @_noLocks mutating func write(
        to buffer: UnsafeMutablePointer<MIDIClockBuffer>, offset: Int, count: Int, delay: Int,
        _ timeline: borrowing Timeline
    ) {
        let output = Output(buffer: buffer, now: timeline.now, offset: Int64(offset + delay))
        let end = timeline.now + Int64(count)
        guard timeline.isRolling else {
            if isRolling { halt(output) }
            tellEntry(output, timeline)
            return tickFreely(output, before: end, timeline)
        }
        // Where ticks were passed over, machines have lost their place.
        let isFollowing = isRolling && roll == timeline.rollCount && timeline.frame(ofTick: tick + 1) > timeline.now
        if !isFollowing {
            if isFollowed { halt(output) }
            isRolling = true
            roll = timeline.rollCount
            begin(output, timeline)
        } else if isFollowed, timeline.songTick(at: tick) != songTick {
            output.send(MIDIClockMessage.stop, at: timeline.now)
            wait(after: tick, output, at: timeline.now, timeline)
        }
        for _ in 0..<MIDIClock.perSlice {
            let due = timeline.frame(ofTick: tick)
            if due >= end { return }
            sendTick(output, at: due < timeline.now ? timeline.now : due, timeline)
        }
    }

    /// Whether the invariants hold: machines that follow are on the tick that comes next, and those that wait know when
    /// to go on.
    @_noLocks func checkInvariants() -> Bool {
        if !isRolling { return !isFollowed && toldSixteenth >= -1 }
        return isFollowed ? toldSixteenth == -1 : entry >= tick && entrySongTick >= -1
    }

    // MARK: While the transport rolls

    /// Finds the first tick from now on, and where machines enter.
    @_noLocks private mutating func begin(_ output: Output, _ timeline: borrowing Timeline) {
        tick = timeline.firstTick
        let place = timeline.songTick(at: tick)
        let isTold = toldSixteenth * MIDIClock.ticksPerSixteenth == place
        if place == 0 || place > 0 && isTold {
            (entry, entrySongTick) = (tick, place)
        } else {
            wait(after: tick, output, at: timeline.now, timeline)
        }
    }

    @_noLocks private mutating func sendTick(_ output: Output, at frame: FrameTime, _ timeline: borrowing Timeline) {
        if !isFollowed, tick >= entry {
            let place = timeline.songTick(at: tick)
            if place == entrySongTick {
                output.send(place == 0 ? MIDIClockMessage.start : MIDIClockMessage.goOn, at: frame)
                isFollowed = true
                songTick = place
                toldSixteenth = -1
            } else {
                wait(after: tick, output, at: frame, timeline)
            }
        }
        output.send(MIDIClockMessage.tick, at: frame)
        lastTick = frame
        tick += 1
        guard isFollowed else { return }
        songTick += 1
        if timeline.songTick(at: tick) != songTick {
            // The song loops there: who is told a tick before goes on with the next one.
            output.send(MIDIClockMessage.stop, at: frame)
            wait(after: tick - 1, output, at: frame, timeline)
        }
    }

    /// Has machines wait for the song's beginning, or the next sixteenth after a tick, and tells them which.
    @_noLocks private mutating func wait(
        after former: Int64, _ output: Output, at frame: FrameTime, _ timeline: borrowing Timeline
    ) {
        isFollowed = false
        let first = timeline.songTick(at: former + 1)
        // A loop may be shorter than a sixteenth, and have none: then they wait until that is over.
        (entry, entrySongTick) = (former + 1 + MIDIClock.ticksPerSixteenth, -1)
        if first < 0 { (entry, entrySongTick) = (former + 1 - first, 0) }
        for step in 0..<Int(MIDIClock.ticksPerSixteenth) {
            let next = former + 1 + Int64(step)
            let place = timeline.songTick(at: next)
            if place >= 0, place % MIDIClock.ticksPerSixteenth == 0 {
                (entry, entrySongTick) = (next, place)
                break
            }
        }
        toldSixteenth = -1
        if entrySongTick > 0 { tell(entrySongTick / MIDIClock.ticksPerSixteenth, output, at: frame) }
    }

    @_noLocks private mutating func tell(_ sixteenth: Int64, _ output: Output, at frame: FrameTime) {
        toldSixteenth = sixteenth
        if sixteenth <= MIDIClock.lastSixteenth { output.send(position: sixteenth, at: frame) }
    }

    /// Stops machines.
    @_noLocks private mutating func halt(_ output: Output) {
        if isFollowed { output.send(MIDIClockMessage.stop, at: output.now) }
        isFollowed = false
        isRolling = false
        toldSixteenth = -1
        tempo = 0
    }

    // MARK: While it stands

    /// Tells machines where the song begins, if that has changed.
    @_noLocks private mutating func tellEntry(_ output: Output, _ timeline: borrowing Timeline) {
        let place = timeline.songTick(at: 0)
        let sixteenth = place > 0 ? place / MIDIClock.ticksPerSixteenth : 0
        if sixteenth != toldSixteenth { tell(sixteenth, output, at: output.now) }
    }

    @_noLocks private mutating func tickFreely(
        _ output: Output, before end: FrameTime, _ timeline: borrowing Timeline
    ) {
        let tempo = timeline.tempo.tempo(at: output.now).beatsPerMinute
        if tempo != self.tempo || timeline.sampleRate.hertz != hertz {
            self.tempo = tempo
            hertz = timeline.sampleRate.hertz
            count(from: lastTick.isNever ? output.now : lastTick, lastTick.isNever ? 0 : 1)
        }
        if freeFrame < output.now { count(from: output.now, 0) }
        for _ in 0..<MIDIClock.perSlice {
            let due = freeFrame
            if due >= end { return }
            output.send(MIDIClockMessage.tick, at: due)
            lastTick = due
            ticks += 1
        }
    }

    @_noLocks private mutating func count(from frame: FrameTime, _ ticks: Int64) {
        anchor = frame
        self.ticks = ticks
    }

    /// The frame of the next tick.
    private var freeFrame: FrameTime {
        @_noLocks get {
            anchor + FrameRounding.nearest(Double(ticks) * 60 * hertz / (MIDIClock.ticksPerBeat * tempo))
        }
    }

    /// Where messages go.
    private struct Output: BitwiseCopyable {
        let buffer: UnsafeMutablePointer<MIDIClockBuffer>
        /// The first frame of the slice, and its place behind the block's first one.
        let now: FrameTime
        let offset: Int64

        @_noLocks func send(_ status: UInt8, at frame: FrameTime) {
            buffer.pointee.add(status, after: offset + (frame - now))
        }

        @_noLocks func send(position sixteenths: Int64, at frame: FrameTime) {
            buffer.pointee.add(
                MIDIClockMessage.songPosition, sixteenths: sixteenths, after: offset + (frame - now))
        }
    }
}

extension Timeline {
    @_noLocks fileprivate func frame(ofTick tick: Int64) -> FrameTime {
        tempo.frame(of: Beat(rawValue: Double(tick) / MIDIClock.ticksPerBeat))
    }

    /// The song's position at a tick, in ticks.
    @_noLocks fileprivate func songTick(at tick: Int64) -> Int64 {
        let beat = Beat(rawValue: Double(tick) / MIDIClock.ticksPerBeat)
        return FrameRounding.nearest(song.position(at: beat).rawValue * MIDIClock.ticksPerBeat)
    }

    /// The first tick whose frame is not over.
    fileprivate var firstTick: Int64 {
        @_noLocks get {
            var tick = FrameRounding.whole(rt_floor(tempo.beat(at: now).rawValue * MIDIClock.ticksPerBeat))
            if frame(ofTick: tick) < now { tick += 1 }
            return tick
        }
    }
}
