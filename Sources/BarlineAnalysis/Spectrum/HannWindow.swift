import Foundation

/// The raised cosine.
enum HannWindow {
    /// `count` values with a mean of `scale`.
    static func values(_ count: Int, scale: Double = 1) -> [Float] {
        let turn = 2 * Double.pi / Double(count)
        return (0..<count).map { index -> Float in
            let angle: Double = turn * (Double(index) + 0.5)
            return Float(scale * (1 - cos(angle)))
        }
    }
}
