import BarlineDSP
import BarlineTime

extension Engine {
    /// Stems: files that are streamed in step.
    public var stems: Stems { Stems(engine: self) }

    /// The part of an engine that plays stems, as ``Engine/stems`` gives it. What plays them is a ``Multitrack``.
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
    /// An event of the stems.
    public typealias Event = StemsEvent

    /// What the stems do, at the end of the last block.
    public var state: EngineState.Multitrack {
        EngineState.Multitrack(engine.link.board.read(engine.link.places[Stems.Snapshot.self]))
    }

    /// The strip of stem number `index`.
    public subscript(index: StemIndex) -> Engine.Strip { engine.mixer[.stem(index)] }

    /// The fader that all stems go through before their own, as it was asked for last. Setting it is
    /// ``setGain(_:at:)`` for the next block; see ``Engine/omittedChangeCount``.
    public var gain: Decibels {
        get { engine.settings.stemsGain }
        nonmutating set { engine.attempt { () throws(EngineError) in try setGain(newValue) } }
    }

    /// Ramps the fader that all stems go through before their own.
    @discardableResult
    public func setGain(_ gain: Decibels, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.send([.stems(.gain(try Engine.amplitude(gain)))], at: moment) { $0.stemsGain = gain }
    }

    /// Loads stems, in the place of others; see ``Multitrack/init(_:on:recordedTempo:grid:feeding:)``.
    ///
    /// - Returns: what plays them, to be kept as long as they are to be heard.
    public func load(
        _ stems: [Stem], recordedTempo: Tempo? = nil, grid: StemGrid? = nil,
        feeding: Multitrack.Feeding = .threads(2)
    ) throws(EngineError) -> Multitrack {
        try Multitrack(stems, on: engine, recordedTempo: recordedTempo, grid: grid, feeding: feeding)
    }
}
