import Foundation

/// Curves of times over numbers, both in powers.
struct Plot {
    typealias Curve = (name: String, color: String, points: [(count: Int, time: Double)])

    private let curves: [Curve]
    private let lowest: Double
    private let highest: Double
    private let mostCount: Double
    private let left = 56.0
    private let top = 16.0
    private let width = 420.0
    private let height = 320.0

    init(_ curves: [Curve]) {
        self.curves = curves
        let times = curves.flatMap { $0.points.map(\.time) }
        // Whole powers of ten around all.
        lowest = floor(log10(times.min() ?? 1))
        highest = max(lowest + 1, ceil(log10(times.max() ?? 10)))
        mostCount = log2(Double(curves.flatMap { $0.points.map(\.count) }.max() ?? 2))
    }

    private func x(_ count: Double) -> Double { left + width * log2(count) / mostCount }
    private func y(_ time: Double) -> Double {
        top + height * (highest - log10(max(time, 1e-9))) / (highest - lowest)
    }

    private func text(_ value: Double) -> String { String(format: "%.1f", value) }

    /// The drawing.
    var svg: String {
        var lines = [
            ##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 392" font-family="sans-serif" font-size="12" fill="#57606a">"##,
            ##"<rect width="100%" height="100%" fill="#ffffff"/>"##,
        ]
        for power in Int(lowest)...Int(highest) {
            let line = text(y(pow(10, Double(power))))
            lines.append(##"<path d="M\##(text(left)) \##(line)H\##(text(left + width))" stroke="#d0d7de"/>"##)
            let label =
                power < 0 ? String(format: "%.\(-power)f", pow(10, Double(power))) : "\(Int(pow(10, Double(power))))"
            lines.append(#"<text x="\#(text(left - 6))" y="\#(line)" dy="4" text-anchor="end">\#(label)</text>"#)
        }
        for power in 0...Int(mostCount) {
            let place = text(x(pow(2, Double(power))))
            lines.append(
                #"<text x="\#(place)" y="\#(text(top + height + 18))" text-anchor="middle">\#(1 << power)</text>"#)
        }
        lines.append(
            #"<text x="\#(text(left))" y="\#(text(top + height + 40))">µs a block of 64 frames, by how many</text>"#)
        for (name, color, points) in curves {
            let path = points.map { "\(text(x(Double($0.count)))) \(text(y($0.time)))" }.joined(separator: "L")
            lines.append(#"<path d="M\#(path)" stroke="\#(color)" stroke-width="2" fill="none"/>"#)
            guard let last = points.last else { continue }
            let (endX, endY) = (text(x(Double(last.count)) + 6), text(y(last.time) + 4))
            lines.append(#"<text x="\#(endX)" y="\#(endY)" fill="\#(color)">\#(name)</text>"#)
        }
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }
}
