import BarlineEngine
import BarlineTime

/// A clip of a test: what the engine is told of it and what the model needs to know.
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
    /// Attacks, in frames of the region.
    var onsets: [Int] = []

    var length: Double { Double(frames) }

    func settings(region: Range<Int>) -> ClipSettings {
        ClipSettings(
            track: TrackIndex(track), region: region, beats: beats, loops: loops,
            playback: beats == nil ? .original : (isStretched ? .stretch : .repitch), transposition: transposition,
            onsets: onsets.map { $0 + region.lowerBound }, launchMode: mode, startPosition: start,
            quantization: grid?.quantization)
    }

    var description: String {
        let span = beats.map { "\($0) beats" } ?? "unsynced"
        let grid = grid.map { ", \($0)" } ?? ""
        let stretch = isStretched ? ", stretched by \(transposition), onsets \(onsets)" : ""
        return "track \(track), \(frames) frames at \(sourceRate) Hz, \(span)\(loops ? "" : ", once"), \(mode), "
            + "\(start)\(grid)\(stretch)"
    }
}
