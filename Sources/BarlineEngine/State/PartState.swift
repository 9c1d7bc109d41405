/// The state of one part of the engine, for displays.
protocol PartState: Hashable, Sendable {
    /// The state in the snapshots of the board.
    init(_ board: BoardSnapshots, _ configuration: EngineConfiguration)
}

extension PartState {
    fileprivate func isEqual(to other: any PartState) -> Bool { other as? Self == self }
}

/// The states of parts, at most one of each type; ``EngineState`` need not know the types.
struct PartStates: Hashable, Sendable {
    private let states: [any PartState]

    init(_ states: [any PartState]) { self.states = states }

    /// The state of the part whose type of state this is.
    subscript<State: PartState>(_ state: State.Type) -> State {
        for case let state as State in states { return state }
        preconditionFailure("a part that is shown is one of the engine's")
    }

    static func == (left: PartStates, right: PartStates) -> Bool {
        left.states.count == right.states.count && zip(left.states, right.states).allSatisfy { $0.isEqual(to: $1) }
    }

    func hash(into hasher: inout Hasher) { for state in states { state.hash(into: &hasher) } }
}
