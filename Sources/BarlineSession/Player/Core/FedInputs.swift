import BarlineEngine
import BarlineTime

/// The inputs that have a signal in place of what a device gives. A signal is that of a name: whatever input has the
/// name gives it, wherever in the list it is.
package struct FedInputs: Sendable {
    /// A signal, and the frame on which it begins.
    struct Signal {
        let signal: InputSignal
        let first: FrameTime
    }

    /// The signals, by the names of inputs.
    private(set) var signals: [String: Signal] = [:]
    /// The names whose signals the engine's inputs have.
    private(set) var places: [InputIndex: String] = [:]

    /// Whether an input has a signal.
    package func contains(_ input: InputIndex) -> Bool { places[input] != nil }

    var isEmpty: Bool { places.isEmpty }

    /// The frame on which what an input gives begins; `nil` where it has no signal.
    func beginning(of input: InputIndex) -> FrameTime? { places[input].flatMap { signals[$0]?.first } }

    mutating func add(_ signal: Signal, named name: String, at place: InputIndex) {
        (signals[name], places[place]) = (signal, name)
    }

    /// An input is called otherwise, and goes on giving what it gives.
    mutating func rename(_ old: String, to new: String) {
        guard let signal = signals.removeValue(forKey: old) else { return }
        signals[new] = signal
        for (place, name) in places where name == old { places[place] = new }
    }

    /// Moves the signals to where their inputs are.
    ///
    /// - Parameter inputs: the engine's inputs, by their names.
    /// - Returns: the inputs whose signal is another one now, `nil` for none.
    mutating func move(to inputs: [String: InputIndex]) -> [(input: InputIndex, signal: Signal?)] {
        var wanted: [InputIndex: String] = [:]
        for (name, input) in inputs where signals[name] != nil { wanted[input] = name }
        let changed = Set(wanted.keys).union(places.keys).filter { wanted[$0] != places[$0] }
        places = wanted
        return changed.sorted { $0.rawValue < $1.rawValue }.map { ($0, wanted[$0].flatMap { signals[$0] }) }
    }
}
