import BarlineEngine
import BarlineTime

/// A clip of a test: what the engine gets of it and what the model needs to know.
struct ClipPlan: CustomStringConvertible {
    var track = 0
    /// The region's length in source frames.
    var frames = 12_000
    var sourceRate = 48_000.0
    /// The region's length in quarter notes; `nil` for a clip that does not follow the tempo.
    var beats: Double? = 4
    var loops = true
    var mode = LaunchMode.trigger
    var start = StartPosition.fromStart
    var grid: Grid?
    var amplitude: Float = 0.5
    /// Whether its pitch is kept, where it follows the tempo.
    var isStretched = false
    var transposition = 0.0
    var stretchMode = StretchMode.complex
    var stretch = StretchParameters()
    /// Attacks, in frames of the region.
    var onsets: [Int] = []
    /// Markers, in frames of the region.
    var warp: [WarpMarker] = []

    var length: Double { Double(frames) }

    func settings(region: Range<Int>) -> ClipSettings {
        ClipSettings(
            track: TrackIndex(track), region: region, beats: beats, loops: loops,
            playback: beats == nil ? .original : (isStretched ? .stretch : .repitch), transposition: transposition,
            stretchMode: stretchMode, stretch: stretch,
            onsets: onsets.map { $0 + region.lowerBound },
            warp: warp.map { WarpMarker(frame: $0.frame + region.lowerBound, beat: $0.beat) }, launchMode: mode,
            startPosition: start,
            quantization: grid?.quantization)
    }

    /// Where it is so many beats after its start, counted on through its cycles: straight from marker to marker.
    func position(atBeat beat: Double) -> Double {
        guard let beats else { return 0 }
        if warp.isEmpty { return beat / beats * length }
        let cycle = loops ? (beat / beats).rounded(.down) : 0
        let places = [(0.0, 0.0)] + warp.map { (Double($0.frame), $0.beat) } + [(length, beats)]
        let within = beat - cycle * beats
        let next = max(1, places.dropLast().lastIndex { $0.1 <= within }.map { $0 + 1 } ?? 1)
        let (low, high) = (places[next - 1], places[next])
        return cycle * length + low.0 + (within - low.1) / (high.1 - low.1) * (high.0 - low.0)
    }

    /// Gives it markers that make its beats up to half as long or twice.
    mutating func warp(_ random: inout TestRandom) {
        guard let beats else { return }
        let count = random.int(2...9)
        let lengths = (0..<count).map { _ in (frames: random.double(0.7...1.4), beats: random.double(0.7...1.4)) }
        let sums = lengths.reduce((0, 0)) { ($0.0 + $1.frames, $0.1 + $1.beats) }
        var place = (frames: 0.0, beats: 0.0)
        warp = lengths.dropLast().map { piece in
            place = (place.frames + piece.frames / sums.0, place.beats + piece.beats / sums.1)
            return WarpMarker(frame: Int(place.frames * length), beat: place.beats * beats)
        }
    }

    var description: String {
        let span = beats.map { "\($0) beats" } ?? "unsynced"
        let grid = grid.map { ", \($0)" } ?? ""
        let stretch = isStretched ? ", stretched by \(transposition), \(stretchMode), \(stretch), onsets \(onsets)" : ""
        let warped = warp.isEmpty ? "" : ", warped by \(warp.map { ($0.frame, $0.beat) })"
        return "track \(track), \(frames) frames at \(sourceRate) Hz, \(span)\(loops ? "" : ", once"), \(mode), "
            + "\(start)\(grid)\(stretch)\(warped)"
    }
}
