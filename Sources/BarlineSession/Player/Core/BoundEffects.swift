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
            // More than one has another place: all come in again, in their order.
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
