import BarlineTime

extension Engine {
    /// Tempo, metre and the song position.
    public var transport: Transport { Transport(engine: self) }

    /// The transport of an engine, as ``Engine/transport`` returns it: counts beats and bars.
    ///
    /// ```swift
    /// engine.transport.tempo = 126
    /// try engine.transport.setTempo(140, overBeats: 8)
    /// print(engine.transport.bar, engine.transport.pulse)
    /// ```
    ///
    /// Values read are those at the end of the last block.
    public struct Transport: Sendable {
        let engine: Engine
    }
}

extension Engine.Transport {
    // MARK: State

    /// The state of the transport, all values of one moment.
    public var state: EngineState.Transport {
        EngineState.Transport(engine.link.board.read(engine.link.places[Timeline.Snapshot.self]))
    }

    /// Whether it rolls.
    public var isRolling: Bool { state.isRolling }

    /// The monotonic beat, which launches are scheduled on; 0 while stopped.
    public var beat: Beat { state.beat }

    /// The bar, counted from 1; 0 and below in a count-in.
    public var bar: Int { state.bar }

    /// The pulse in the bar, counted from 1.
    public var pulse: Int { state.pulse }

    /// The tempo. Setting it is ``setTempo(_:overBeats:at:)`` for the next block; until that is rendered, it reads as
    /// the value set. See ``Engine/omittedChangeCount``.
    public var tempo: Tempo {
        get { engine.pendingTempo ?? state.tempo }
        nonmutating set { engine.attempt { () throws(EngineError) in try setTempo(newValue) } }
    }

    /// The metre of the current bar. Setting it is ``setTimeSignature(_:at:)`` for the next block.
    public var timeSignature: TimeSignature {
        get { state.timeSignature }
        nonmutating set { engine.attempt { () throws(EngineError) in try setTimeSignature(newValue) } }
    }

    /// The song position. Setting it is ``relocate(to:at:)`` for the next block.
    public var songPosition: Beat {
        get { state.songPosition }
        nonmutating set { engine.attempt { () throws(EngineError) in try relocate(to: newValue) } }
    }

    // MARK: Changes

    /// Starts the transport from beat 0; no effect if it rolls.
    @discardableResult
    public func start(at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.transport(.start)], at: moment)
    }

    /// Stops the transport and everything that plays on it.
    @discardableResult
    public func stop(at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.transport(.stop)], at: moment)
    }

    /// Changes the tempo, at once or over `rampBeats` quarter notes, linearly in beats.
    @discardableResult
    public func setTempo(
        _ tempo: Tempo, overBeats rampBeats: Double = 0, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try setTempo(tempo, over: .beats(rampBeats), at: moment)
    }

    /// Changes the tempo over seconds or beats; if the transport is stopped, at once.
    ///
    /// The ramp is linear in beats, whichever unit its length is given in: so frames and beats convert in closed form,
    /// and everything that plays stays in phase.
    @discardableResult
    public func setTempo(
        _ tempo: Tempo, over length: RampLength, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        let ramp = try Engine.ramp(length, .linear)
        let publication = engine.link.board.publicationCount
        return try engine.send([.transport(.tempo(tempo, ramp.length))], at: moment) { settings in
            settings.tempo = moment == nil && length.isNone ? PendingTempo(tempo, since: publication) : nil
        }
    }

    /// Taps the tempo: the second tap and every later one sets it to the mean of the intervals between the last eight.
    /// After a pause of more than 3 s tapping starts over.
    @discardableResult
    public func tapTempo(at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.metronome(.tap)], at: moment)
    }

    /// Changes the metre on the next bar line; at once if the transport is stopped.
    @discardableResult
    public func setTimeSignature(
        _ timeSignature: TimeSignature, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try engine.send([.transport(.timeSignature(timeSignature))], at: moment)
    }

    /// Moves the song position; launches, which follow the monotonic beat, are not affected. If the transport is
    /// stopped, the song begins there from then on.
    @discardableResult
    public func relocate(to position: Beat, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        guard position.rawValue.isFinite else { throw .invalidValue(name: "position", value: position.rawValue) }
        return try engine.send([.transport(.relocate(.beat(position)))], at: moment)
    }

    /// Moves the song position to the line of `bar`, counted from 1 in the metre of that moment, as
    /// ``relocate(to:at:)`` does.
    @discardableResult
    public func relocate(toBar bar: Int, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        guard Engine.barRange.contains(bar) else { throw .invalidValue(name: "bar", value: Double(bar)) }
        return try engine.send([.transport(.relocate(.bar(Int64(bar) - 1)))], at: moment)
    }

    /// Loops the song position from `start` over `length` quarter notes; 0 ends the loop and discards its region. A
    /// region whose loop is off is kept for ``setLooping(_:at:)``.
    @discardableResult
    public func setLoop(
        from start: Beat, length: Double, isOn: Bool = true, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        guard start.rawValue.isFinite, length.isFinite, length >= 0 else {
            throw .invalidValue(name: "loop length", value: length)
        }
        return try engine.send([.transport(.loop(.beats(start: start, length: length), isOn: isOn))], at: moment)
    }

    /// Loops the song position over `count` bars from `bar` on, counted from 1 in the metre of that moment.
    @discardableResult
    public func setLoop(
        fromBar bar: Int, bars: Int, isOn: Bool = true, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        guard Engine.barRange.contains(bar), (1...Engine.barRange.upperBound).contains(bars) else {
            throw .invalidValue(name: "loop bars", value: Double(bars))
        }
        let region = SongRegion.bars(first: Int64(bar) - 1, count: Int64(bars))
        return try engine.send([.transport(.loop(region, isOn: isOn))], at: moment)
    }

    /// Turns the loop of the latest region on or off; without a region it stays off.
    @discardableResult
    public func setLooping(_ isOn: Bool, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.transport(.looping(isOn))], at: moment)
    }

    /// Moves the beats by `frames` to what they are where the device has passed over so much sound, as
    /// ``TransportEvent/clockJumped(frames:)`` tells: what happened live happens again.
    ///
    /// - Throws: ``EngineError/invalidValue(name:value:)`` beyond ``jumpRange``, or ``EngineError/busy(capacity:)``.
    @discardableResult
    package func jumpClock(by frames: Int64, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        guard Engine.Transport.jumpRange.contains(frames) else {
            throw .invalidValue(name: "frames", value: Double(frames))
        }
        return try engine.send([.transport(.clock(frames: frames))], at: moment)
    }

    /// The frames by which a clock may jump: those of a day at the highest sample rate.
    package static let jumpRange: ClosedRange<Int64> = -(1 << 34)...1 << 34
}

extension Engine.Transport {
    /// The mapping between frames, beats and bars, as currently known.
    public var map: TimelineMap { TimelineMap(engine.link.board.read(engine.link.places[Timeline.Snapshot.self])) }
}
