import BarlineEngine

/// The keys of pads in a session's file.
package struct PadsPart: SessionPart {
    var pads: [PadDocument] = []
    var set = PadSetDocument()

    package init() {}

    package static let keys: [DocumentKey<SessionDocument>] = [
        .list("pads", \.pads, .pad, as: .missing, adapt: { $0.slot = $1 }),
        .part("padSet", \.padSet, .padSet, as: .missing),
    ]
    package static let documentParts: [DocumentPart] = [.pad, .padSet]
    package static let strips: [PartStrip] = [.pads]

    package var isEmpty: Bool { pads.isEmpty }

    /// Refuses two pads of one name or in one place.
    package func check(file: String) throws(SessionError) {
        var ids: Set<String> = []
        var slots: Set<Int> = []
        for (index, pad) in pads.enumerated() {
            if !ids.insert(pad.id).inserted { throw .duplicate(path: file, key: "pads[\(index)].id", id: pad.id) }
            if !slots.insert(pad.slot).inserted {
                throw .value(
                    path: file, key: "pads[\(index)].slot", expected: "a slot that no other pad is in",
                    found: "\(pad.slot)")
            }
        }
    }

    package mutating func setFiles(_ path: (String) -> String) {
        for pad in pads.indices { pads[pad].file = path(pads[pad].file) }
    }

    package func sharing(_ other: PadsPart) -> PadsPart {
        var part = self
        if pads == other.pads { part.pads = other.pads }
        return part
    }
}

extension SessionDocument {
    /// The pads.
    public var pads: [PadDocument] {
        get { parts[PadsPart.self].pads }
        set { parts[PadsPart.self].pads = newValue }
    }

    /// The mixer strip of the pads.
    public var padSet: PadSetDocument {
        get { parts[PadsPart.self].set }
        set { parts[PadsPart.self].set = newValue }
    }
}

extension DocumentPart {
    static let pad = DocumentPart("pad", .element, example: ["name": "Amen"], of: PadDocument.self)
    static let padSet = DocumentPart("padSet", .value, example: ["mute": true], of: PadSetDocument.self)
}

extension PartStrip {
    /// The strip of the pads.
    public static let pads = PartStrip(
        "pads", PartStripPlace(.pads, "padSet", \.padSet.output, \.padSet.effects, \SessionDocument.padSet.strip))
}

extension StripName {
    /// The pads.
    public static let pads = StripName.part(.pads)
}

extension EffectStrip {
    /// The pads.
    public static let pads = EffectStrip.part(.pads)
}
