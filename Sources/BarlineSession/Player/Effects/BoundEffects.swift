import BarlineEngine
import BarlineTime

/// The effects of a strip as the engine has them.
struct BoundEffects: Sendable {
    /// Where they are.
    let point: InsertPoint
    private(set) var handles: [String: EffectHandle] = [:]

    init(_ point: InsertPoint) { self.point = point }

    /// Makes the engine's effects `after`, of which it has `before`. What is in both plays on undisturbed.
    mutating func become(
        _ after: [EffectDocument], over before: [EffectDocument], _ mixer: Engine.Mixer
    ) throws(EngineError) {
        let wanted = after.filter { $0.kind != nil }
        var kept = before.filter { old in
            handles[old.id] != nil && wanted.contains { $0.id == old.id && $0.type == old.type }
        }
        let order = kept.map(\.id)
        let target = wanted.map(\.id).filter(Set(order).contains)
        if order != target, let (id, index) = BoundEffects.move(from: order, to: target), wanted.count == order.count {
            if let handle = handles[id] { try mixer.move(handle, to: index) }
        } else if order != target {
            // More than one has another place: all come in anew, in their order.
            kept = []
        }
        for (id, handle) in handles where !kept.contains(where: { $0.id == id }) {
            handles[id] = nil
            try mixer.remove(handle)
        }
        for (index, effect) in wanted.enumerated() {
            guard let settings = effect.settings else { continue }
            if let handle = handles[effect.id], let old = kept.first(where: { $0.id == effect.id })?.settings {
                try set(handle, settings, over: old, mixer)
            } else {
                handles[effect.id] = try mixer.insert(settings, on: point, before: index)
            }
        }
    }

    /// Takes all out.
    mutating func removeAll(_ mixer: Engine.Mixer) throws(EngineError) { try become([], over: [], mixer) }

    private func set(
        _ handle: EffectHandle, _ new: EffectSettings, over old: EffectSettings, _ mixer: Engine.Mixer
    ) throws(EngineError) {
        for (number, parameter) in new.kind.parameters.enumerated() where new.values[number] != old.values[number] {
            try mixer.set(parameter.name, of: handle, to: new.values[number])
        }
        if new.isBypassed != old.isBypassed { try mixer.setBypass(new.isBypassed, of: handle) }
    }

    /// The one element whose move makes one order the other; `nil` where it takes more.
    static func move(from order: [String], to target: [String]) -> (id: String, index: Int)? {
        for (index, id) in target.enumerated() where order.indices.contains(index) && order[index] != id {
            // The first that differs has come here, or what was here has gone.
            for moved in [id, order[index]] {
                guard let place = target.firstIndex(of: moved) else { continue }
                var changed = order.filter { $0 != moved }
                changed.insert(moved, at: place)
                if changed == target { return (moved, place) }
            }
            return nil
        }
        return nil
    }
}

extension BoundSession {
    /// Where the effects of a strip are; `nil` where the engine has no such strip.
    func point(of strip: EffectStrip) -> InsertPoint? {
        switch strip {
        case .master: .bus(.main)
        case .part(let part): .channel(part.place.channel)
        case .track(let id): tracks[id].map { .channel(.track($0)) }
        case .stem(let id): stems[id].map { .channel(.stem($0)) }
        }
    }

    /// Puts the document's effects into an engine that has none.
    mutating func insertEffects(_ mixer: Engine.Mixer) throws(SessionError) {
        for (strip, key) in document.effectStrips where !document[effects: strip].isEmpty {
            guard let point = point(of: strip) else { continue }
            var bound = BoundEffects(point)
            do throws(EngineError) {
                try bound.become(document[effects: strip], over: [], mixer)
            } catch {
                throw .engine(path: path, key: "\(key).effects", error)
            }
            effects[strip] = bound
        }
    }

    /// The engine's effect for one of the document's.
    func effect(
        _ change: EffectChange, source: String, key: String
    ) throws(SessionError) -> EffectHandle {
        guard point(of: change.strip) != nil else {
            throw .unknown(path: source, key: "\(key).\(change.strip.key)", id: change.strip.words)
        }
        guard let document = document[effects: change.strip].first(where: { $0.id == change.effect }),
            let handle = effects[change.strip]?.handles[change.effect]
        else { throw .unknown(path: source, key: "\(key).effect", id: change.effect) }
        if case .parameter(let name, _, _) = change.setting, let kind = document.kind,
            !kind.parameters.contains(where: { $0.name == name })
        {
            let names = kind.parameters.map { "\"\($0.name)\"" } + ["\"bypass\""]
            throw .value(
                path: source, key: "\(key).parameter", expected: names.joined(separator: " or "), found: "\"\(name)\"")
        }
        return handle
    }
}

extension EffectStrip {
    fileprivate var key: String {
        switch self {
        case .master, .part: "strip"
        case .track: "track"
        case .stem: "stem"
        }
    }
}

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
