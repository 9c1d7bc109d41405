import BarlineTime

extension Engine {
    /// Tempo, metre and the song position.
    public var transport: Transport { Transport(engine: self) }

    /// The part of an engine that counts beats and bars, as ``Engine/transport`` gives it.
    ///
    /// ```swift
    /// engine.transport.tempo = 126
    /// try engine.transport.setTempo(140, overBeats: 8)
    /// print(engine.transport.bar, engine.transport.pulse)
    /// ```
    ///
    /// What is read is true for the end of the last block.
    public struct Transport: Sendable {
        let engine: Engine
    }
}

extension Engine.Transport {
    /// An event of the timeline.
    public typealias Event = TransportEvent

    // MARK: State

    /// Where the music is, all of it as it was at one moment.
    public var state: EngineState.Transport {
        EngineState.Transport(engine.link.board.read(engine.link.places[Timeline.Snapshot.self]))
    }

    /// Whether it rolls.
    public var isRolling: Bool { state.isRolling }

    /// The monotonic beat, on which launches wait; 0 while stopped.
    public var beat: Beat { state.beat }

    /// The bar, counted from 1; 0 and below in a count-in.
    public var bar: Int { state.bar }

    /// The pulse in the bar, counted from 1.
    public var pulse: Int { state.pulse }

    /// The tempo. Setting it is ``setTempo(_:overBeats:at:)`` for the next block; until that is played, what was set
    /// is read. See ``Engine/omittedChangeCount``.
    public var tempo: Tempo {
        get { engine.pendingTempo ?? state.tempo }
        nonmutating set { engine.attempt { () throws(EngineError) in try setTempo(newValue) } }
    }

    /// The metre of the bar under way. Setting it is ``setTimeSignature(_:at:)`` for the next block.
    public var timeSignature: TimeSignature {
        get { state.timeSignature }
        nonmutating set { engine.attempt { () throws(EngineError) in try setTimeSignature(newValue) } }
    }

    /// The song position. Setting it is ``relocate(to:at:)`` for the next block.
    public var songPosition: Beat {
        get { state.songPosition }
        nonmutating set { engine.attempt { () throws(EngineError) in try relocate(to: newValue) } }
    }

    // MARK: Changing

    /// Rolls the transport from beat 0; nothing happens where it rolls.
    @discardableResult
    public func start(at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.transport(.start)], at: moment)
    }

    /// Stops the transport and everything that plays on it.
    @discardableResult
    public func stop(at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.transport(.stop)], at: moment)
    }

    /// Changes the tempo, at once or over `rampBeats` quarter notes, evenly from beat to beat.
    @discardableResult
    public func setTempo(
        _ tempo: Tempo, overBeats rampBeats: Double = 0, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try setTempo(tempo, over: .beats(rampBeats), at: moment)
    }

    /// Changes the tempo over a time or beats; where the transport stands, at once.
    ///
    /// The tempo moves evenly from beat to beat, whichever the length is given in: so beats and frames follow from each other
    /// in closed form, and what plays stays in phase.
    @discardableResult
    public func setTempo(
        _ tempo: Tempo, over length: RampLength, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        let glide = try Engine.glide(length, .linear)
        let publication = engine.link.board.publicationCount
        return try engine.send([.transport(.tempo(tempo, glide.length))], at: moment) { settings in
            settings.tempo = moment == nil && length.isNone ? PendingTempo(tempo, since: publication) : nil
        }
    }

    /// Taps the tempo: the second tap and every later one sets it to the mean of the intervals between the last eight.
    /// A pause of more than 3 s begins anew.
    @discardableResult
    public func tapTempo(at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.metronome(.tap)], at: moment)
    }

    /// Changes the metre on the next bar line; at once where the transport is stopped.
    @discardableResult
    public func setTimeSignature(
        _ timeSignature: TimeSignature, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        try engine.send([.transport(.timeSignature(timeSignature))], at: moment)
    }

    /// Moves the song position; launches, which follow the monotonic beat, are not touched. Where the transport stands,
    /// the song begins there from then on.
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

    /// Loops the song position from `start` over `length` quarter notes; 0 ends the loop and forgets its region. A
    /// region that is not on is kept for ``setLooping(_:at:)``.
    @discardableResult
    public func setLoop(
        from start: Beat, length: Double, isOn: Bool = true, at moment: (any Moment)? = nil
    ) throws(EngineError) -> CommandID {
        guard start.rawValue.isFinite, length.isFinite, length >= 0 else {
            throw .invalidValue(name: "loop length", value: length)
        }
        return try engine.send([.transport(.loop(.beats(start: start, length: length), isOn: isOn))], at: moment)
    }

    /// Loops the song position over so many bars from `bar` on, counted from 1 in the metre of that moment.
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

    /// Turns the loop of the region that was set last on or off; without one it stays off.
    @discardableResult
    public func setLooping(_ isOn: Bool, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.transport(.looping(isOn))], at: moment)
    }
}

extension Engine.Transport {
    /// Which beat and bar belong to which frame, as it is known now.
    public var map: TimelineMap { TimelineMap(engine.link.board.read(engine.link.places[Timeline.Snapshot.self])) }
}
