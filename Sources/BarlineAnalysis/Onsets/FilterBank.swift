import Foundation

/// Sums of a power spectrum over bands of a twelfth of an octave, where the bins are that fine, else of one bin.
struct FilterBank: Sendable {
    /// The first bin of every filter, and one past the last filter's end.
    let edges: [Int]
    /// The onset band that a filter counts towards.
    let bands: [OnsetBand]
    /// The pitch class that a filter counts towards; `nil` where it is too low or too high to have one.
    let pitchClasses: [Int?]

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
        let centers = zip(edges, edges.dropFirst()).map { spacing * Double($0 + $1 - 1) / 2 }
        bands = centers.map(OnsetBand.containing)
        pitchClasses = centers.map { center in
            (180...4000).contains(center) ? Int((12 * log2(center / 30)).rounded()) % 12 : nil
        }
    }

    var count: Int { bands.count }
}
