/// Sums of a power spectrum over bands that are the same for every sample rate: a bin on an edge counts to both sides
/// by its shares.
struct BeatBands: Sendable {
    /// The bands' edges in hertz.
    static let edges: [Double] = [
        30, 60, 90, 120, 155, 200, 250, 310, 380, 460, 560, 680, 820, 1000, 1200, 1450, 1750, 2100, 2550, 3100, 3750,
        4550, 5500, 6700, 8200, 10_500, 14_000,
    ]
    /// How many there are.
    static var count: Int { edges.count - 1 }

    private let first: [Int]
    private let shares: [[Float]]

    /// The bands for blocks of `size` samples at `sampleRate` hertz.
    init(size: Int, sampleRate: Double) {
        let spacing = sampleRate / Double(size)
        let last = size / 2
        var first: [Int] = []
        var shares: [[Float]] = []
        for (low, high) in zip(BeatBands.edges, BeatBands.edges.dropFirst()) {
            let from = Int((low / spacing).rounded())
            let to = min(last, Int((high / spacing).rounded()))
            first.append(from)
            guard from <= to else {
                shares.append([])
                continue
            }
            shares.append(
                (from...to).map { bin in
                    let start = max(low, (Double(bin) - 0.5) * spacing)
                    let end = min(high, (Double(bin) + 0.5) * spacing)
                    return Float(max(0, end - start) / spacing)
                })
        }
        self.first = first
        self.shares = shares
    }

    /// Writes the power of each band into `sums`.
    func sum(_ powers: UnsafeBufferPointer<Float>, into sums: inout [Float]) {
        for band in 0..<BeatBands.count {
            var sum: Float = 0
            let start = first[band]
            for (offset, share) in shares[band].enumerated() { sum += share * powers[start + offset] }
            sums[band] = sum
        }
    }
}
