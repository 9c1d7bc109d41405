import BarlineEngine
import BarlineTime

extension SessionPlayer {
    /// Makes the engine's effects those of the document; what the engine refuses is reported.
    func setEffects(_ old: SessionDocument, _ new: inout BoundSession) {
        let strips = new.document.effectStrips.map(\.strip)
        for (strip, bound) in new.effects where new.point(of: strip) != bound.point || !strips.contains(strip) {
            var leaving = bound
            attempt("effects of \(strip.words)", &new) { () throws(EngineError) in try leaving.removeAll(engine.mixer) }
            new.effects[strip] = nil
        }
        for strip in strips {
            let (before, after) = (old[effects: strip], new.document[effects: strip])
            guard let point = new.point(of: strip), !after.isEmpty || new.effects[strip] != nil else { continue }
            var bound = new.effects[strip] ?? BoundEffects(point)
            attempt("effects of \(strip.words)", &new) { () throws(EngineError) in
                try bound.become(after, over: before, engine.mixer)
            }
            new.effects[strip] = bound
        }
    }

    /// Sets what is asked for of an effect.
    func send(
        _ setting: EffectChange.Setting, of effect: EffectHandle, at frame: FrameTime?
    ) throws(EngineError) -> CommandID {
        switch setting {
        case .parameter(let name, let value, let ramp):
            try engine.mixer.set(name, of: effect, to: value, over: ramp > 0 ? .beats(ramp) : .shortest, at: frame)
        case .bypass(let isOn): try engine.mixer.setBypass(isOn, of: effect, at: frame)
        }
    }
}
