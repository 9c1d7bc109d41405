import BarlineDSP
import BarlineTime
import CRealtime

/// The audio thread's side of the engine: a function from state, commands and a range of frames to samples.
///
/// It consists of a timeline, a list of sources and a mixer, which are in its ``RenderContext``, and the pending
/// commands. Everything it uses is allocated at initialisation. ``render(_:)`` neither allocates, locks, retains nor
/// makes system calls; the compiler checks that through `@_noLocks`, and RealtimeSanitizer through the guard around it.
struct Renderer: ~Copyable, @unchecked Sendable {
    var context: RenderContext
    /// The room that all commands wait in, and those with a known frame.
    private let pending: CommandStore
    private var schedule: CommandSchedule
    private var moments: MomentSchedule
    private let commands: SPSCRing<Command>.Consumer
    private let places: Places
    private var midiClock = MIDIClock()
    /// The length of the last block.
    private var blockFrames = 0

    init(_ configuration: EngineConfiguration, link: RendererLink) {
        precondition(configuration.trackCount > 0 && configuration.busCount > 0, "an engine has a track and a bus")
        precondition(configuration.voiceCount > 0 && configuration.clipCapacity > 0, "an engine can hold clips")
        context = RenderContext(
            configuration, link: link.context, list: UnsafeMutableRawPointer(link.sources),
            sourceCount: link.sourceCount, others: link.others)
        places = link.places
        commands = link.commands
        pending = CommandStore(capacity: configuration.commandCapacity)
        schedule = CommandSchedule(in: pending)
        moments = MomentSchedule(in: pending, sampleRate: configuration.sampleRate)
    }

    deinit { pending.deallocate() }

    /// Renders the next `block.frames` frames.
    @_noLocks mutating func render(_ block: AudioBlock) {
        let mode = rt_guard_enter()
        blockFrames = block.frames
        takeDeviceChanges()
        if let hostTime = block.hostTime { moments.update(hostTime: hostTime, frame: context.now) }
        takeCommands()
        if let deviceFrame = block.deviceFrame, let retiming = context.timeline.follow(deviceFrame: deviceFrame) {
            context.propagate(retiming)
        }
        if block.shedding > 0 { context.shed(part: block.shedding) }
        var offset = 0
        while offset < block.frames {
            handleDue()
            var count = block.frames - offset
            if count > BlockSlice.largestCount { count = BlockSlice.largestCount }
            let next = context.nextWake(before: nextDue())
            if Int64(count) > next - context.now { count = Int(next - context.now) }
            fill(block, offset: offset, count: count)
            context.timeline.advance(by: Int64(count))
            offset += count
        }
        publish()
        context.releaseRetired()
        assert(checkInvariants(), "what is derived agrees with what it is derived from, and commands wait in order")
        rt_guard_exit(mode)
    }

    /// Whether the invariants of everything that it renders with hold.
    @_noLocks private mutating func checkInvariants() -> Bool {
        context.checkInvariants() && schedule.checkInvariants() && moments.checkInvariants()
            && schedule.count + moments.count == pending.count && midiClock.checkInvariants()
    }

    /// Receives the commands sent by the control side since the last block.
    @_noLocks private mutating func takeCommands() {
        while !pending.isFull, var command = commands.pop() {
            guard case .frame = command.wait else {
                moments.insert(command, context.timeline)
                continue
            }
            command.due = command.frame < context.now ? context.now : command.frame
            schedule.insert(command)
        }
    }

    /// Applies the device's changes. They don't go through the command ring, which may be full while no device requests
    /// audio.
    @_noLocks private mutating func takeDeviceChanges() {
        let hertz = context.link.counters.pointee.deviceRate.exchange(0, ordering: .acquiring)
        let rate = SampleRate(unchecked: Double(bitPattern: hertz))
        if hertz != 0, rate.hertz != context.sampleRate.hertz {
            context.propagate(context.timeline.changeSampleRate(to: rate))
            moments.changeSampleRate(to: rate)
        }
        if context.link.counters.pointee.hasRejoined.exchange(false, ordering: .acquiring) {
            context.mixer.rejoin(at: context.now, fadeFrames: context.fadeFrames)
            context.timeline.forgetDeviceClock()
        }
    }

    // MARK: One frame

    /// Performs everything that is due now.
    @_noLocks private mutating func handleDue() {
        context.run(.ends)
        if context.mixer.isMoveWaiting { context.mixer.moveChannels(at: context.now, fadeFrames: context.fadeFrames) }
        performCommands()
        if context.mixer.isMoving { context.mixer.advanceRamps(at: context.now) }
        if let retiming = context.timeline.endOfRamp() { context.propagate(retiming) }
        context.run(.boundaries)
        if let retiming = context.timeline.takeQueuedTempo() { context.propagate(retiming) }
        context.run(.wraps)
        context.run(.leadIns)
        context.run(.streams)
        context.run(.clicks)
    }

    /// The next due frame of everything other than sources.
    @_noLocks private func nextDue() -> FrameTime {
        earlier(
            earlier(schedule.nextFrame, moments.nextFrame(context.timeline)),
            earlier(context.timeline.nextDue(), context.mixer.nextMove))
    }

    @_noLocks private mutating func fill(_ block: AudioBlock, offset: Int, count: Int) {
        context.capture.write(
            block, offset: offset, count: count, at: context.now, sampleRate: context.sampleRate)
        if block.isPreroll {
            context.run(.pass(frames: count))
            context.capture.writeUnmixed(count: count, at: context.now)
            context.finishTaps(count)
            return
        }
        let slice = BlockSlice(
            of: block, offset: offset, count: count, start: context.now, sampleRate: context.sampleRate)
        context.mixer.begin(slice)
        if let clock = block.clock {
            midiClock.write(
                to: clock, offset: offset, count: count, delay: context.mixer.latency(at: context.sampleRate),
                context.timeline)
        }
        if context.timeline.isRamping { context.timeline.findBeats(context.scratch.beats, count: count) }
        context.run(.fill(slice))
        context.mixer.sumUp(slice)
        context.capture.write(context.mixer, slice)
        context.mixer.finish(slice)
        context.finishTaps(count)
    }

    // MARK: Commands

    @_noLocks private mutating func performCommands() {
        while true {
            let isMomentDue = moments.nextFrame(context.timeline) <= context.now
            let isFrameDue = schedule.nextFrame <= context.now
            if !isMomentDue, !isFrameDue { break }
            var command: Command
            // Commands due at the same frame are performed in the order in which they were sent.
            if isMomentDue, !isFrameDue || moments.nextDueNumber(context.timeline) < schedule.nextNumber {
                command = moments.removeNextDue(context.timeline)
                context.emit(.commandTaken(command.id))
            } else {
                command = schedule.removeNext()
                if command.isForNextBlock {
                    command.frame = context.now
                    context.emit(.commandTaken(command.id))
                }
            }
            let lateness = context.now - command.frame
            if lateness > 0 { context.emit(.commandLate(command.id, frames: lateness)) }
            perform(command.action, at: command.frame)
            context.link.counters.pointee.executed.wrappingAdd(1, ordering: .releasing)
        }
        context.mixer.updateStaleLevels(at: context.now)
    }

    /// Performs a command scheduled for `frame`, which is now or, if the command is late, before.
    @_noLocks private mutating func perform(_ action: EngineAction, at frame: FrameTime) {
        switch action {
        case .transport(let action): perform(action, at: frame)
        case .mixer(let action):
            context.mixer.perform(
                action, at: context.now, fadeFrames: context.fadeFrames,
                rampFrames: context.timeline.rampFrames(over: action.length))
        case .effect(let chain, let action):
            context.mixer.perform(
                action, onChain: chain, at: context.now, fadeFrames: context.fadeFrames)
        default: context.perform(action, at: frame)
        }
    }

    @_noLocks private mutating func perform(_ action: Timeline.Action, at frame: FrameTime) {
        switch action {
        case .start:
            context.timeline.endsWithSource = false
            if !context.timeline.isRolling { context.propagate(context.timeline.start(lead: 0, at: frame)) }
        case .stop:
            if context.timeline.isRolling {
                context.propagate(context.timeline.stop())
            } else {
                context.perform(.launcher(.stopFirstLoops), at: frame)
            }
        case .tempo(let target, let length):
            let rampBeats = context.timeline.rampBeats(over: length, to: target)
            context.propagate(context.timeline.changeTempo(to: target, rampBeats: rampBeats))
        case .timeSignature(let timeSignature): context.propagate(context.timeline.changeMetre(to: timeSignature))
        case .countIn(let bars): context.timeline.countInBars = bars
        case .snapTolerance(let value): context.timeline.snapTolerance = value
        case .relocate(let place): context.timeline.relocateSong(to: place)
        case .loop(let region, let isOn): context.timeline.loopSong(region, isOn: isOn)
        case .looping(let isOn): context.timeline.song.setLooping(isOn, at: context.timeline.currentBeat)
        case .clock(let frames): context.propagate(context.timeline.jump(by: frames))
        }
    }

    // MARK: State

    /// The renderer at the end of a block, except its parts.
    struct Snapshot: BitwiseCopyable {
        /// The number of voices in use, including those that fade out.
        let voicesInUse: Int
        /// Whether the transport rolls, or a source plays or has something pending.
        let isBusy: Bool
        /// Whether a source plays or has something pending.
        let arePartsBusy: Bool
        /// The number of commands performed since the engine was created.
        let executed: Int
        /// The number of pending commands whose moment has no frame.
        let stalled: Int
        /// The next frame, and the length of the block.
        let frame: FrameTime
        let blockFrames: Int
        /// The host's clock, as far as there is one, and the time at which the block's first frame was requested.
        let hostClock: HostTimeMap
        let hasHostClock: Bool
        let lastTime: HostTime
        let lastFrame: FrameTime
    }

    /// The places of the renderer's own snapshots on the board.
    struct Places: BitwiseCopyable {
        let renderer: BoardPlace<Snapshot>
        let timeline: BoardPlace<Timeline.Snapshot>
        let mixer: Mixer.Places

        init(_ configuration: EngineConfiguration, in places: inout BoardPlaces) {
            renderer = places.claim(Snapshot.self)
            timeline = places.claim(Timeline.Snapshot.self)
            mixer = Mixer.Places(
                busCount: configuration.busCount, channelCount: configuration.channelCount, in: &places)
        }
    }

    /// Publishes the current state for displays.
    @_noLocks mutating func publish() {
        let board = context.link.board
        board.beginUpdate()
        context.timeline.publish(to: board, at: places.timeline)
        context.voicesInUse = 0
        context.isBusy = false
        context.run(.publish)
        let snapshot = Snapshot(
            voicesInUse: context.voicesInUse, isBusy: context.isBusy || context.timeline.isRolling,
            arePartsBusy: context.isBusy,
            executed: context.link.counters.pointee.executed.load(ordering: .relaxed),
            stalled: moments.stalledCount(context.timeline), frame: context.now, blockFrames: blockFrames,
            hostClock: moments.hostClock, hasHostClock: moments.hasHostClock, lastTime: moments.lastTime,
            lastFrame: moments.lastFrame)
        board.put(snapshot, at: places.renderer)
        context.mixer.publish(to: board, at: places.mixer)
        board.endUpdate()
    }
}
