import BarlineEngine
import BarlineTime

extension SessionPlayer {
    /// Makes the engine's effects those of the document; what the engine refuses is reported.
    func setEffects(_ old: SessionDocument, _ new: inout BoundSession) {
        for (strip, bound) in new.effects where new.point(of: strip) != bound.point {
            var leaving = bound
            attempt("effects of \(strip.words)", &new) { () throws(EngineError) in try leaving.removeAll(engine.mixer) }
            new.effects[strip] = nil
        }
        let emptied = new.effects.keys.filter { new.document[effects: $0].isEmpty }
        for (strip, after) in new.document.effectStrips.map({ ($0.strip, $0.effects) }) + emptied.map({ ($0, []) }) {
            guard let point = new.point(of: strip) else { continue }
            let before = old[effects: strip]
            var bound = new.effects[strip] ?? BoundEffects(point)
            attempt("effects of \(strip.words)", &new) { () throws(EngineError) in
                try bound.become(after, over: before, engine.mixer)
            }
            new.effects[strip] = bound
        }
    }

    /// Sets what is asked for of an effect.
    func send(
        _ setting: EffectChange.Setting, of effect: EffectHandle, at moment: (any Moment)?
    ) throws(EngineError) -> CommandID {
        switch setting {
        case .parameter(let name, let value, let ramp):
            try engine.mixer.set(name, of: effect, to: value, over: ramp > 0 ? .beats(ramp) : .shortest, at: moment)
        case .bypass(let isOn): try engine.mixer.setBypass(isOn, of: effect, at: moment)
        }
    }
}
