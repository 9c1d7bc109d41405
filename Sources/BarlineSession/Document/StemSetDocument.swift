import BarlineEngine
import BarlineTime

/// What the stems of a session have in common.
public struct StemSetDocument: Hashable, Sendable {
    /// The tempo of the music, in BPM; `nil` where only seconds are known, or a stem says it.
    public var bpm: Double?
    /// The frame of a bar line, in the first stem's file; `nil` for position 0.
    public var firstBeat: Int64?
    /// Keys that this version does not know.
    public var rest: [String: JSONValue] = [:]

    /// Nothing is known.
    public init() {}
}

extension StemSetDocument {
    init(_ source: ObjectReader) throws(SessionError) {
        var reader = source
        bpm = try reader.tempo("bpm")
        firstBeat = try reader.integer("firstBeat", atLeast: -StemSetDocument.farthestFrame).map(Int64.init)
        rest = reader.rest
    }

    private static let farthestFrame = 1 << 48

    /// What is known.
    var json: [String: JSONValue] {
        var values = rest
        if let bpm { values["bpm"] = .number(bpm) }
        if let firstBeat { values["firstBeat"] = .number(Double(firstBeat)) }
        return values
    }
}

extension SessionDocument {
    /// The tempo of the stems' music, in BPM: that of those that follow the session's, else the set's, else a stem's.
    public var stemTempo: Double? {
        if let first = stems.first, first.playback == .repitch { return first.bpm }
        return stemSet.bpm ?? stems.lazy.compactMap(\.bpm).first
    }

    /// How the stems lie on the grid; `nil` where their tempo is not known. `sampleRate` is that of the first stem's file.
    func stemGrid(sampleRate: SampleRate?) -> StemGrid? {
        guard let bpm = stemTempo, let first = stems.first else { return nil }
        var barLine = 0.0
        if let firstBeat = stemSet.firstBeat, let sampleRate {
            barLine = Double(firstBeat - first.offset) / sampleRate.hertz
        }
        return StemGrid(tempo: Tempo(clamping: bpm), barLine: barLine)
    }
}
