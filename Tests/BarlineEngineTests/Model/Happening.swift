import BarlineEngine

/// Something that happened, in a form in which the engine's account and the model's can be compared.
struct Happening: CustomStringConvertible {
    enum Kind: Hashable {
        case started(clip: Int)
        case looped(clip: Int, iteration: Int)
        case stopped(clip: Int)
        case tempo(Double, ramp: Double)
        case metre(Metre, line: Double)
        case rolled
        case halted
        case pulse(bar: Int, pulse: Int, isAccented: Bool)
        case exhausted(clip: Int)
    }

    var frame: Int
    /// The track, or −1 for the transport.
    var lane: Int
    var kind: Kind
    /// Where a clip started in itself, or at which beat the transport began to roll.
    var value = 0.0

    var description: String { "\(frame): \(kind)" + (value == 0 ? "" : " (\(value))") }

    func matches(_ other: Happening) -> Bool {
        frame == other.frame && lane == other.lane && kind == other.kind && abs(value - other.value) < 1e-3
    }

    init(_ frame: Int, lane: Int, _ kind: Kind, value: Double = 0) {
        self.frame = frame
        self.lane = lane
        self.kind = kind
        self.value = value
    }

    /// The engine's account of it; `nil` for what the model has no notion of.
    init?(_ event: EngineEvent) {
        let frame = Int(event.frame.rawValue)
        switch event.kind {
        case .launcher(.started(let clip, let track, _, let sourceFrame)):
            self.init(frame, lane: track.rawValue, .started(clip: clip.rawValue), value: sourceFrame)
        case .launcher(.looped(let clip, let track, let iteration)):
            self.init(frame, lane: track.rawValue, .looped(clip: clip.rawValue, iteration: Int(iteration)))
        case .launcher(.stopped(let clip, let track)):
            self.init(frame, lane: track.rawValue, .stopped(clip: clip.rawValue))
        case .transport(.tempoChanged(let tempo, _, let ramp)):
            self.init(frame, lane: -1, .tempo(tempo.beatsPerMinute, ramp: ramp))
        case .transport(.timeSignatureChanged(let signature, let beat)):
            let metre = Metre(numerator: signature.numerator, denominator: signature.denominator)
            self.init(frame, lane: -1, .metre(metre, line: beat.rawValue))
        case .transport(.started(let beat)): self.init(frame, lane: -1, .rolled, value: beat.rawValue)
        case .transport(.stopped): self.init(frame, lane: -1, .halted)
        case .metronome(.pulse(let bar, let pulse, let isAccented)):
            self.init(frame, lane: -1, .pulse(bar: Int(bar), pulse: pulse, isAccented: isAccented))
        case .launcher(.voicesExhausted(let clip, let track)):
            self.init(frame, lane: track.rawValue, .exhausted(clip: clip.rawValue))
        default: return nil
        }
    }
}
