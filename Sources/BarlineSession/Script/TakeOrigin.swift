import BarlineFiles
import BarlineTime

/// Where a slot's take is recorded: what is known of it while it goes on, for the case that its program is killed.
struct TakeOrigin: Hashable, Sendable {
    /// The tempo and the metre.
    struct Grid: Hashable, Sendable {
        var tempo: Tempo
        /// The length of a bar in quarter notes.
        var barLength: Double
    }

    /// A slot.
    struct Place: Hashable, Sendable {
        /// The session's file.
        var session: String
        var track: String
        var slot: Int
        /// The identifier of the clip that it was to become; `nil` where that is not known.
        var clip: String?
    }

    /// The slot that it was recorded into; `nil` for a layer, which has none of its own.
    var place: Place?
    /// `nil` where they have changed, or nothing says them.
    var grid: Grid?
    /// The frame of the timeline that its first frame belongs at.
    var frame: Int64 = 0
    /// The frames in its file before that one.
    var margin = 0

    /// The most frames that a journal is believed to have before a take's first one.
    private static let mostMargin = 1_000_000

    init() {}

    /// Reads one from a journal; what it does not say, or wrongly, is not known.
    init(_ values: [String: JSONValue]) {
        if case .string(let session)? = values["session"], case .string(let track)? = values["track"],
            case .number(let number)? = values["slot"], let slot = Int(exactly: number),
            NumberBounds.row.contains(slot)
        {
            place = Place(session: session, track: track, slot: slot)
            if case .string(let clip)? = values["clip"], !clip.isEmpty { place?.clip = clip }
        }
        guard case .number(let first)? = values["frame"], let frame = Int64(exactly: first),
            case .number(let before)? = values["margin"], let margin = Int(exactly: before),
            (0...TakeOrigin.mostMargin).contains(margin)
        else { return }
        (self.frame, self.margin) = (frame, margin)
        guard case .number(let bpm)? = values["bpm"], let tempo = Tempo(bpm),
            case .number(let barLength)? = values["barLength"], barLength > 0, barLength.isFinite
        else { return }
        grid = Grid(tempo: tempo, barLength: barLength)
    }

    /// What a journal has of it.
    var json: [String: JSONValue] {
        var values: [String: JSONValue] = ["frame": .number(Double(frame)), "margin": .number(Double(margin))]
        if let place {
            values["session"] = .string(place.session)
            values["track"] = .string(place.track)
            values["slot"] = .number(Double(place.slot))
            values["clip"] = place.clip.map { .string($0) }
        }
        if let grid {
            values["bpm"] = .number(grid.tempo.beatsPerMinute)
            values["barLength"] = .number(grid.barLength)
        }
        return values
    }

    /// What the file of a take that was broken off says beside its samples: it loops from its first frame to its last
    /// whole bar, or within the first bar to its last whole beat. What follows stays in the file.
    ///
    /// - Parameters:
    ///   - frames: those of the file.
    ///   - rate: theirs.
    /// - Returns: `nil` where the tempo is not known, or not a beat of it was recorded.
    func chunks(frames: Int64, _ rate: SampleRate) -> TakeChunks? {
        guard let grid else { return nil }
        // The end of a bar lies within half a frame of where it should.
        let recorded = grid.tempo.beats(in: (Double(max(0, frames - Int64(margin))) + 0.5) / rate.hertz)
        let bars = (recorded / grid.barLength).rounded(.down)
        let beats = bars >= 1 ? bars * grid.barLength : recorded.rounded(.down)
        let length = (grid.tempo.seconds(of: beats) * rate.hertz).rounded()
        guard beats >= 1, let count = Int(exactly: length), margin + count <= frames else { return nil }
        return TakeChunks(
            loop: margin..<margin + count, beats: beats, timeReference: frame - Int64(margin), sampleRate: rate)
    }
}
