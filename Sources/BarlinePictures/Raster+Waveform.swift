import BarlineAnalysis

extension Raster {
    /// Draws a waveform into a rectangle: peaks in a lighter shade behind the RMS.
    package mutating func draw(_ waveform: Waveform, x: Range<Int>, y: Range<Int>, peaks: Color, rms: Color) {
        let middle = Double(y.lowerBound) + Double(y.count) / 2
        let half = Double(y.count) / 2
        func row(_ level: Float) -> Int { Int((middle - Double(level) * half).rounded()) }
        let count = waveform.points.count
        for (index, point) in waveform.points.enumerated() {
            let first = x.lowerBound + index * x.count / count
            let end = max(first + 1, x.lowerBound + (index + 1) * x.count / count)
            let top = row(min(1, point.max))
            fill(x: first..<end, y: top..<max(top + 1, row(max(-1, point.min))), peaks)
            let upper = row(min(1, point.rms))
            fill(x: first..<end, y: upper..<max(upper + 1, row(-min(1, point.rms))), rms)
        }
    }
}
