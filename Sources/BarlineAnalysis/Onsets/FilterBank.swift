import Foundation

/// Sums of a power spectrum over bands of a twelfth of an octave, where the bins are that fine, else of one bin.
struct FilterBank: Sendable {
    /// The first bin of every filter, and one past the last filter's end.
    let edges: [Int]
    /// The onset band that a filter counts towards.
    let bands: [OnsetBand]

    /// The filters for blocks of `size` samples at `sampleRate` hertz.
    init(size: Int, sampleRate: Double) {
        let spacing = sampleRate / Double(size)
        let highest = min(OnsetBand.high.upperEdge, sampleRate / 2 - spacing)
        var edges = [max(1, Int((30 / spacing).rounded()))]
        var step = 0
        while true {
            let frequency = 30 * pow(2, Double(step) / 12)
            if frequency > highest { break }
            let bin = Int((frequency / spacing).rounded())
            if let last = edges.last, bin > last { edges.append(bin) }
            step += 1
        }
        self.edges = edges
        bands = zip(edges, edges.dropFirst()).map { lower, upper in
            OnsetBand.containing(spacing * Double(lower + upper - 1) / 2)
        }
    }

    var count: Int { bands.count }
}
