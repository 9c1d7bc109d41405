import BarlineDSP
import BarlineTime

extension Engine {
    /// Stems: files that are streamed in step.
    public var stems: Stems { Stems(engine: self) }

    /// The stems of an engine, as ``Engine/stems`` returns them: their state and their strips. A ``Multitrack`` plays
    /// them.
    ///
    /// ```swift
    /// let song = try engine.stems.load(files.map(Stem.init))
    /// song.play()
    /// engine.stems[1].isMuted = true
    /// engine.stems.gain = -3
    /// ```
    public struct Stems: Sendable {
        let engine: Engine
    }
}

extension Engine.Stems {
    /// The state of the stems at the end of the last block.
    public var state: EngineState.Multitrack {
        EngineState.Multitrack(engine.link.board.read(engine.link.places[Stems.Snapshot.self]))
    }

    /// The strip of the stem at `index`.
    public subscript(index: StemIndex) -> Engine.Strip { engine.mixer[.stem(index)] }

    /// The group fader that all stems go through before their own, as last requested. Setting it is ``setGain(_:at:)``
    /// for the next block; see ``Engine/omittedChangeCount``.
    public var gain: Decibels {
        get { engine.settings.stemsGain }
        nonmutating set { engine.attempt { () throws(EngineError) in try setGain(newValue) } }
    }

    /// Ramps the group fader of all stems.
    @discardableResult
    public func setGain(_ gain: Decibels, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.stems(.gain(try Engine.amplitude(gain)))], at: moment) { $0.stemsGain = gain }
    }

    /// Loads stems, replacing the former ones; see ``Multitrack/init(_:on:recordedTempo:grid:feeding:)``.
    ///
    /// - Returns: their player, to be kept as long as they play.
    /// - Complexity: O(*n*) in the stems.
    public func load(
        _ stems: [Stem], recordedTempo: Tempo? = nil, grid: StemGrid? = nil,
        feeding: Multitrack.Feeding = .threads(2)
    ) throws(EngineError) -> Multitrack {
        try Multitrack(stems, on: engine, recordedTempo: recordedTempo, grid: grid, feeding: feeding)
    }
}
