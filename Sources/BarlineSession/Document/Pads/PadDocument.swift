import BarlineDSP
import BarlineEngine
import BarlineTime

/// A pad of a session: a one-shot.
public struct PadDocument: Hashable, Sendable {
    /// The range of ``slot``.
    public static let slotRange = 0...63
    /// The note of the first place, where nobody has said another: that of a bass drum in General MIDI.
    static let firstNote = 36

    /// The identifier that scripts use.
    public var id: String
    /// The name to display.
    public var name: String
    /// The audio file, relative to the session's folder.
    public var file: String
    /// Its position, row by row, four pads a row.
    public var slot: Int
    /// The MIDI note that triggers it, 0 … 127; `nil` for none.
    public var note: Int?
    /// The gain in dB.
    public var gain = 0.0
    /// The balance, −1 … 1.
    public var pan = 0.0
    /// The transposition in semitones, by varispeed.
    public var pitch = 0.0
    /// The choke group: triggering a pad fades out the others of its group; 0 for none.
    public var choke = 0
    /// The influence of the velocity on its level, 0 … 1.
    public var sensitivity = 1.0
    /// The quantisation of triggers while the transport rolls; `nil` for none.
    public var quantization: Quantization?
    /// Its colour, like `#d97706`.
    public var color: String?
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// Creates a pad that plays a whole file.
    public init(id: String, name: String, file: String, slot: Int) {
        self.id = id
        self.name = name
        self.file = file
        self.slot = slot
    }

    /// What the engine makes of it.
    var settings: PadSettings {
        PadSettings(
            gain: Decibels(gain), pan: pan, pitch: pitch, choke: choke, sensitivity: sensitivity,
            quantization: quantization ?? .none)
    }
}

extension PadDocument: KeyedDocument {
    static var standard: PadDocument { PadDocument(id: "", name: "", file: "", slot: 0) }

    static let keys: [DocumentKey<PadDocument>] = [
        .required("id", \.id, .words, "what scripts call it"),
        .standard("name", \.name, .text, "", otherwise: { $0.id }, words: "its `id`"),
        .required("file", \.file, .words),
        .standard(
            "slot", \.slot, .whole(slotRange), "its place, four to a row, from the lowest row up",
            words: "its place in the list"),
        .optional("note", \.note, .whole(0...127), "the note of MIDI that hits it"),
        .standard("gain", \.gain, .gain), .standard("pan", \.pan, .pan),
        .standard("pitch", \.pitch, .pitch, "by speed"),
        .standard(
            "choke", \.choke, .whole(PadSettings.chokeRange),
            "pads of one group fade each other out, as an open hi-hat is closed; 0 is none"),
        .standard(
            "sensitivity", \.sensitivity, .sensitivity,
            "how far the velocity decides how loud it is: with 1 as its square, with 0 not at all"),
        .optional(
            "quantization", \.quantization, .grid,
            "the grid that hits wait for while the transport rolls; `null` is none"),
        .optional("color", \.color, .colour, "else one of its place"),
    ]

    /// The pad as JSON.
    package var json: JSONValue { .object(values) }
}

extension ValueType where Value == Double {
    fileprivate static var pitch: ValueType {
        let range = PadSettings.pitchRange
        return number("semitones from \(Int(range.lowerBound)) to \(Int(range.upperBound))", range, unit: "semitones")
    }

    fileprivate static var sensitivity: ValueType { number("a number from 0 to 1", PadSettings.sensitivityRange) }
}

extension SessionDocument {
    /// The first place without a pad, from one on, else from the first; `nil` where there is none.
    func freePad(from first: Int = 0) -> Int? {
        let taken = Set(pads.map(\.slot))
        let free = PadDocument.slotRange.filter { !taken.contains($0) }
        return free.first { $0 >= first } ?? free.first
    }

    /// A pad as it is added: with a colour of its own, and the note of its place where no other pad has that.
    func newPad(_ file: String, title: String, slot: Int) -> PadDocument {
        let others = pads.filter { $0.slot != slot }
        let id = SessionDocument.identifier(for: title, taken: Set(others.map(\.id)))
        var pad = PadDocument(id: id, name: title, file: file, slot: slot)
        let note = PadDocument.firstNote + slot
        if !others.contains(where: { $0.note == note }) { pad.note = note }
        pad.color = TrackColours.usual(slot)
        return pad
    }
}
