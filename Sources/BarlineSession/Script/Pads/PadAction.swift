import BarlineEngine
import BarlineTime

/// An action on pads.
public enum PadAction: Hashable, Sendable {
    /// Triggers a pad with a velocity of 0 … 1, on a grid or on its own one.
    case hit(pad: String, velocity: Double, quantization: Quantization?)
    /// Fades out a pad, or all of them.
    case choke(pad: String?)
}

extension PadAction {
    /// The verbs, in the order in which they are listed.
    static let verbs: [Verb<PadAction>] = [
        Verb(
            "hit",
            "Hits a pad; while the transport rolls it sounds on the next boundary of `quantization`, or of the pad's own grid.",
            osc: [["pad", "velocity"]], .id("pad"), .standard("velocity", .velocity, 1),
            .optional("quantization", .grid),
            make: PadAction.hit,
            match: { if case .hit(let pad, let velocity, let grid) = $0 { (pad, velocity, grid) } else { nil } }),
        Verb(
            "choke", "Fades out what sounds of a pad, or of all where none is named, and forgets hits that wait.",
            osc: [["pad"]], .optional("pad", .words), make: PadAction.choke(pad:),
            match: { if case .choke(let pad) = $0 { pad } else { nil } }),
    ]
}

extension ValueType where Value == Double {
    /// How hard something is hit.
    fileprivate static var velocity: ValueType { number("a velocity from 0 to 1", 0...1).controlled(over: 0...1) }
}
