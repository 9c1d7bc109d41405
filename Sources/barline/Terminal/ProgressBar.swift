import Foundation

/// How far a long job has come, on standard error where that is a screen, and nowhere else.
struct ProgressBar {
    private let title: String
    private let isShown = Terminal.hasErrorScreen
    private var lastShown = Date.distantPast

    init(_ title: String) { self.title = title }

    /// Shows `fraction`, 0 … 1, ten times a second at the most.
    mutating func show(_ fraction: Double) {
        guard isShown, fraction >= 1 || -lastShown.timeIntervalSinceNow > 0.1 else { return }
        lastShown = Date()
        let width = 40
        let filled = Int(fraction * Double(width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let end = fraction >= 1 ? "\n" : ""
        Terminal.write("\r\(title) \(bar) \(Int(fraction * 100)) %\(end)", to: STDERR_FILENO)
    }
}
