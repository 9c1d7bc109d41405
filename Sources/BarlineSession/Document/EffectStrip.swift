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
}
