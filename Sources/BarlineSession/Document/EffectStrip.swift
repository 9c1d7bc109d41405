import BarlineEngine

/// A strip of the mixer that can have effects.
public enum EffectStrip: Hashable, Sendable {
    /// The main output.
    case master
    /// The strip of a part.
    case part(PartStrip)
    /// A track.
    case track(String)
    /// A stem.
    case stem(String)

    /// What it is called for people.
    var words: String {
        switch self {
        case .master: "master"
        case .part(let part): part.rawValue
        case .track(let id), .stem(let id): id
        }
    }
}

/// The strips that are asked for by a word of their own.
extension EffectStrip {
    /// The metronome.
    public static let metronome = EffectStrip.part(.metronome)
    /// The playlist.
    public static let playlist = EffectStrip.part(.playlist)
}

extension SessionDocument {
    /// The strips that can have effects, with their keys in the file.
    var effectStrips: [(strip: EffectStrip, key: String)] {
        [(.master, "master")] + PartStrip.allCases.map { (.part($0), $0.place.key) }
            + tracks.enumerated().map { (.track($0.element.id), "tracks[\($0.offset)]") }
            + stems.enumerated().map { (.stem($0.element.id), "stems[\($0.offset)]") }
    }

    /// The effects of a strip; none of one that is not there, to which nothing can be added.
    subscript(effects strip: EffectStrip) -> [EffectDocument] {
        get {
            switch strip {
            case .master: masterEffects
            case .part(let part): self[keyPath: part.place.effects]
            case .track(let id): tracks.first { $0.id == id }?.effects ?? []
            case .stem(let id): stems.first { $0.id == id }?.effects ?? []
            }
        }
        set {
            switch strip {
            case .master: masterEffects = newValue
            case .part(let part): self[keyPath: part.place.effects] = newValue
            case .track(let id):
                if let index = tracks.firstIndex(where: { $0.id == id }) { tracks[index].effects = newValue }
            case .stem(let id):
                if let index = stems.firstIndex(where: { $0.id == id }) { stems[index].effects = newValue }
            }
        }
    }

    /// Refuses two effects of one name in a strip, and more than a strip can have.
    func checkEffects(file: String) throws(SessionError) {
        for (strip, key) in effectStrips {
            var ids: Set<String> = []
            for (index, effect) in self[effects: strip].enumerated() where !ids.insert(effect.id).inserted {
                throw .duplicate(path: file, key: "\(key).effects[\(index)].id", id: effect.id)
            }
            let count = self[effects: strip].count { $0.kind != nil }
            if count > Engine.Mixer.effectCapacity {
                throw .value(
                    path: file, key: "\(key).effects", expected: "at most \(Engine.Mixer.effectCapacity) effects",
                    found: "\(count)")
            }
        }
    }

    /// What is kept and not heard.
    func unknownEffects(path: String) -> [SessionWarning] {
        effectStrips.flatMap { strip, key in
            self[effects: strip].enumerated().filter { $0.element.kind == nil }.map { index, effect in
                SessionWarning(
                    "\(path): \(key).effects[\(index)].type: there is no effect \"\(effect.type)\"; it is kept, and not heard",
                    words:
                        "The effect “\(effect.type)” of “\(strip.words)” is not known here; it is kept, and not heard.")
            }
        }
    }
}
