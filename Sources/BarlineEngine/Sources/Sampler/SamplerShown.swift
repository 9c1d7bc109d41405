extension Sampler {
    /// The state of the sampler, for displays.
    struct Shown: PartState {
        let strip: EngineState.Strip
        let pads: [EngineState.Pad]

        init(_ board: BoardSnapshots, _ configuration: EngineConfiguration) {
            strip = EngineState.Strip(board[ChannelSnapshot.self, configuration.index(of: .pads)])
            pads = board.row(PadState.self).map { EngineState.Pad($0) }
        }
    }
}

extension EngineState {
    /// The pads, by the places of their handles.
    public var pads: [Pad] { parts[Sampler.Shown.self].pads }

    /// The pads' mixer strip.
    public var padStrip: Strip { parts[Sampler.Shown.self].strip }
}
