import BarlineEngine

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
        for (strip, key, wanted) in document.effectStrips {
            guard let point = point(of: strip) else { continue }
            var bound = BoundEffects(point)
            do throws(EngineError) {
                try bound.become(wanted, over: [], mixer)
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
