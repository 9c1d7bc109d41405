import BarlineEngine
import BarlineTime

/// The common tempo and grid of a session's stems.
public struct StemSetDocument: Hashable, Sendable {
    /// The tempo of the recording in BPM; `nil` if unknown, or if a stem has it.
    public var bpm: Double?
    /// The frame of a bar line, in the first stem's file; `nil` for position 0.
    public var firstBeat: Int64?
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// Creates a set without a tempo.
    public init() {}
}

extension StemSetDocument: KeyedDocument {
    static var standard: StemSetDocument { StemSetDocument() }

    static let keys: [DocumentKey<StemSetDocument>] = [
        .optional("bpm", \.bpm, .tempo, "the tempo of the music", as: .missing),
        .optional(
            "firstBeat", \.firstBeat, .frame(atLeast: -NumberBounds.frame),
            "the frame of a bar line in the first stem's file; that of position 0 where missing", as: .missing),
    ]

    /// What is known.
    var json: [String: JSONValue] { values }
}

extension SessionDocument {
    /// The tempo of the recording in BPM: that of the stems that follow the session's tempo, else the set's, else a
    /// stem's.
    var stemTempo: Double? {
        if let first = stems.first, first.followsTempo { return first.bpm }
        return stemSet.bpm ?? stems.lazy.compactMap(\.bpm).first
    }

    /// How the stems lie on the grid; `nil` where their tempo is not known. `sampleRate` is that of the first stem's
    /// file.
    func stemGrid(sampleRate: SampleRate?) -> StemGrid? {
        guard let bpm = stemTempo, let first = stems.first else { return nil }
        var barLine = 0.0
        if let firstBeat = stemSet.firstBeat, let sampleRate {
            barLine = Double(firstBeat - first.offset) / sampleRate.hertz
        }
        return StemGrid(tempo: Tempo(clamping: bpm), barLine: barLine)
    }
}
