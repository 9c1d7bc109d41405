import BarlineDSP
import BarlineTime

/// Sending commands, for the handles of the engine's parts.
extension Engine {
    /// The frames that a command may be scheduled for.
    static let frameRange: ClosedRange<Int64> = 0...(1 << 53)
    /// The beats that a command may be scheduled for.
    static let beatRange: ClosedRange<Double> = -1e9...1e9
    /// The bars that a command may be scheduled for.
    static let barRange: ClosedRange<Int> = -10_000_000...10_000_000

    /// The part of the capacity that commands for later leave free is one in so many.
    private static let reservedPart = 64

    /// The host times that a command may be scheduled for.
    static let hostTimeRange: ClosedRange<Int64> = 0...(1 << 62)

    /// The moment nearest to `moment` that a command may be scheduled for; for a beat that is NaN, the latest one.
    package static func nearestMoment(to moment: any Moment) -> any Moment {
        switch moment.due {
        case .frame(let frame):
            FrameTime(min(max(frame.rawValue, frameRange.lowerBound), frameRange.upperBound))
        case .beat(let beat):
            Beat(beat.rawValue.isNaN ? beatRange.upperBound : beatRange.clamp(beat.rawValue))
        case .bar(let bar):
            // Bars are numbered from 1, and due from 0.
            Bar(min(max(Int(bar), barRange.lowerBound), barRange.upperBound) + 1)
        case .host(let time):
            HostTime(rawValue: min(max(time.rawValue, hostTimeRange.lowerBound), hostTimeRange.upperBound))
        case .nextBar: moment
        }
    }

    /// The frame of a command for `moment`, and the position that it waits for.
    private static func place(_ moment: (any Moment)?) throws(EngineError) -> (FrameTime, CommandWait) {
        switch moment?.due {
        case nil: return (Command.nextBlock, .frame)
        case .frame(let frame):
            guard frameRange.contains(frame.rawValue) else {
                throw .invalidValue(name: "frame", value: Double(frame.rawValue))
            }
            return (frame, .frame)
        case .beat(let beat):
            guard beatRange.contains(beat.rawValue) else { throw .invalidValue(name: "beat", value: beat.rawValue) }
            return (.zero, .beat(beat))
        case .bar(let bar):
            guard Int64(barRange.lowerBound)...Int64(barRange.upperBound) ~= bar else {
                throw .invalidValue(name: "bar", value: Double(bar))
            }
            return (.zero, .bar(bar))
        case .nextBar: return (.zero, .nextBar)
        case .host(let time):
            guard hostTimeRange.contains(time.rawValue) else {
                throw .invalidValue(name: "host time", value: Double(time.rawValue))
            }
            return (.zero, .host(time))
        }
    }

    func check(_ track: TrackIndex) throws(EngineError) {
        guard (0..<configuration.trackCount).contains(track.rawValue) else {
            throw .unknownTrack(track, count: configuration.trackCount)
        }
    }

    func index(of channel: Channel) throws(EngineError) -> Int {
        switch channel {
        case .track(let track): try check(track)
        case .stem(let stem):
            guard (0..<configuration.stemCapacity).contains(stem.rawValue) else {
                throw .unknownStem(stem, count: configuration.stemCapacity)
            }
        default: break
        }
        return configuration.index(of: channel)
    }

    func check(_ quantization: Quantization) throws(EngineError) {
        switch quantization {
        case .none: break
        case .note(let numerator, let denominator):
            guard numerator > 0, denominator > 0 else {
                throw .invalidValue(name: "quantisation", value: Double(min(numerator, denominator)))
            }
        case .bars(let count):
            guard count > 0 else { throw .invalidValue(name: "quantisation", value: Double(count)) }
        }
    }

    func check(_ bus: BusIndex) throws(EngineError) {
        guard (0..<configuration.busCount).contains(bus.rawValue) else {
            throw .unknownBus(bus, count: configuration.busCount)
        }
    }

    /// Sends actions that take effect together: at `frame`, or at the start of the next block.
    ///
    /// - Parameters:
    ///   - actions: the actions to perform.
    ///   - clips: the clips that must be loaded for them.
    ///   - moment: when; `nil` for the next block.
    ///   - note: records the values that can be read back; called only if there is room for the actions.
    /// - Returns: the first action's identifier; the others' follow it.
    /// - Throws: ``EngineError/unknownClip(_:)``, ``EngineError/busy(capacity:)``, or
    ///   ``EngineError/invalidValue(name:value:)`` for the frame.
    @discardableResult
    func send(
        _ actions: [EngineAction], for clips: [ClipHandle] = [], at moment: (any Moment)?,
        note: (inout ControlSettings) -> Void = { _ in }
    ) throws(EngineError) -> CommandID {
        try withControl { state throws(EngineError) in
            for clip in clips where state.clips[clip.rawValue] == nil { throw .unknownClip(clip) }
            let command = try push(actions, at: moment, &state)
            note(&state.settings)
            if clips.contains(where: { state.clips[$0.rawValue]?.stream != nil }) { ClipFeeder.shared.wake() }
            return command
        }
    }

    /// Performs the change behind a property's setter, which can't throw: a refusal is counted.
    func attempt(_ change: () throws(EngineError) -> CommandID) {
        do throws(EngineError) { _ = try change() } catch { control.withLock { $0.omitted += 1 } }
    }

    /// The most recently requested values.
    var settings: ControlSettings { control.withLock { $0.settings } }

    /// The most recently requested tempo, as long as the state may not show it yet.
    var pendingTempo: Tempo? {
        guard let tempo = settings.tempo, tempo.isAhead(of: link.board.publicationCount) else { return nil }
        return tempo.tempo
    }

    static func amplitude(_ gain: Decibels) throws(EngineError) -> Float {
        let amplitude = gain.amplitude
        guard Float(amplitude).isFinite, amplitude >= 0 else { throw .invalidValue(name: "gain", value: gain.rawValue) }
        return Float(amplitude)
    }

    /// The validated length and curve of a ramp.
    static func ramp(_ length: RampLength, _ curve: Curve) throws(EngineError) -> ParameterRamp {
        switch length {
        case .seconds(let number), .beats(let number):
            guard RampLength.range.contains(number) else { throw .invalidValue(name: "ramp", value: number) }
        case .shortest: break
        }
        return ParameterRamp(length, curve)
    }

    func withControl<Result>(
        _ body: (inout ControlState) throws(EngineError) -> Result
    ) throws(EngineError) -> Result {
        try control.withLock { state throws(EngineError) in
            collectRetired(&state)
            defer { assert(state.checkInvariants(), "what callers hold back and use agrees") }
            return try body(&state)
        }
    }

    @discardableResult
    func push(
        _ actions: [EngineAction], at moment: (any Moment)?, _ state: inout ControlState
    ) throws(EngineError) -> CommandID {
        let waiting = state.sent - link.counters.pointee.executed.load(ordering: .acquiring)
        let (frame, wait) = try Engine.place(moment)
        let first = state.sent
        let commands = actions.enumerated().map { offset, action in
            Command(frame: frame, wait: wait, action: action, id: CommandID(rawValue: first + offset))
        }
        // However much waits for what may never come, what is for now can be sent.
        let reserved = moment == nil ? 0 : configuration.commandCapacity / Engine.reservedPart
        guard waiting + commands.count <= configuration.commandCapacity - reserved else {
            throw .busy(capacity: configuration.commandCapacity)
        }
        if state.holds > 0 {
            state.held += commands
        } else if !link.commands.push(all: commands) {
            throw .busy(capacity: configuration.commandCapacity)
        }
        state.sent += commands.count
        link.counters.pointee.sent.store(state.sent, ordering: .releasing)
        activity.note()
        return CommandID(rawValue: first)
    }

    /// Sends all commands issued within `body` in one transaction, so that they take effect in one block. Commands of
    /// other threads are sent with them meanwhile, in order; so are those issued before `body` threw.
    ///
    /// ```swift
    /// try engine.transaction {
    ///     try engine.launcher.launch(drums)
    ///     try engine.launcher.launch(bass)
    /// }
    /// ```
    ///
    /// Swift takes a closure with a `try` to throw any error. A caller that is itself declared as `throws(EngineError)`
    /// states the type: `try engine.transaction { () throws(EngineError) in … }`.
    ///
    /// - Returns: what `body` returns, and the first command that was sent for the next block; `nil` if there was none.
    /// - Complexity: O(*n*) in the commands.
    @discardableResult
    public func transaction<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> (result: Result, first: CommandID?) {
        control.withLock { $0.holds += 1 }
        let result: Result
        do throws(Failure) {
            result = try body()
        } catch {
            _ = sendHeld()
            throw error
        }
        return (result, sendHeld())
    }

    /// Sends the commands held by one caller, unless another caller still holds.
    ///
    /// - Returns: the first of them that is for the next block, not one that another thread sent for later.
    private func sendHeld() -> CommandID? {
        control.withLock { state in
            state.holds -= 1
            defer { if state.holds == 0 { state.held = [] } }
            // There is room: every command was counted when it was accepted.
            if state.holds == 0 {
                let isTaken = link.commands.push(all: state.held)
                assert(isTaken, "every command that was counted has room")
            }
            return state.held.first { $0.isForNextBlock }?.id
        }
    }

    /// Releases what the audio thread has let go of, which otherwise waits for the next command: files that are open, and
    /// memory.
    package func releaseRetired() { if !link.retired.isEmpty { control.withLock { collectRetired(&$0) } } }

    private func collectRetired(_ state: inout ControlState) {
        while let address = link.retired.pop() {
            state.replaced[address] = nil
            // The address may be reused by another layer from now on.
            for clip in state.layers.keys { state.layers[clip]?.removeAll { $0 == address } }
            state.stemSets[address] = nil
        }
    }
}
