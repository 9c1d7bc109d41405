import BarlineFiles
import Foundation

/// The user's browser.
enum Browser {
    /// Opens a page, where there is a desktop and somebody sits at it.
    static func open(_ link: String) {
        let environment = ProcessInfo.processInfo.environment
        let isDesktop = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
        guard isDesktop, Terminal.hasScreen, let opener = path(of: "xdg-open") else { return }
        // Without a browser the link is still on the screen.
        _ = try? ChildProcess(opener, [link])
    }

    private static func path(of program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
