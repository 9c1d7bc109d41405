import Foundation

/// The progress of a long job, on standard error where that is a screen, and nowhere else.
///
/// It is gone before anything else is written: its owner calls ``end()`` first.
struct ProgressBar {
    private let title: String
    private let isShown = Terminal.hasErrorScreen && !Terminal.isDumb
    private var lastShown = Date.distantPast
    private var isDrawn = false

    init(_ title: String) { self.title = title }

    /// Shows `fraction`, 0 … 1, ten times a second at the most.
    mutating func show(_ fraction: Double) {
        guard isShown, -lastShown.timeIntervalSinceNow > 0.1 else { return }
        lastShown = Date()
        isDrawn = true
        let fraction = max(0, min(1, fraction))
        let text = " \(Int(fraction * 100)) %"
        let room = Terminal.size(of: STDERR_FILENO).columns - TextWidth.columns(title) - " 100 %".count - 2
        let width = max(0, min(40, room))
        let filled = Int(fraction * Double(width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        Terminal.write("\r\(title) \(bar)\(text)\u{1B}[K", to: STDERR_FILENO)
    }

    /// Takes the bar away; it comes back when more is shown.
    mutating func end() {
        if isDrawn { Terminal.write("\r\u{1B}[K", to: STDERR_FILENO) }
        isDrawn = false
    }
}
