import Foundation

/// The frame of every view that fills the screen: the keyboard, notices, the page of keys, undo.
final class ScreenFrame {
    private let keyboard = Keyboard()
    private var messages: [String] = []
    private let undo = UndoKeys()
    private var notice: (text: String, until: Date)?
    private var isHelpShown = false
    private let help: () -> KeyHelp

    /// How long the outcome of a key is shown, in seconds.
    private static let noticeSeconds = 3.0
    /// So many lines of messages have a place in any case.
    private static let messageLines = 3

    /// - Parameter help: the view's keys.
    init(help: @escaping () -> KeyHelp) { self.help = help }

    /// Takes over the terminal, as soon as the program is in front.
    func begin(_ performance: LivePerformance) {
        Suspension.install()
        keyboard.begin { [host = performance.host] in host.look() }
        followJobControl()
    }

    /// Gives the terminal back, and says once more what should not be lost with the screen.
    func end() {
        Suspension.release(leave)
        for message in messages.suffix(ScreenFrame.messageLines) { Terminal.report(message) }
    }

    /// Gives the keyboard back, from another thread.
    func abandon() { Suspension.release(keyboard.end) }

    private func followJobControl() {
        Suspension.handle(restore: leave) {
            keyboard.takeOver()
            Terminal.enterScreen()
        }
    }

    private func leave() {
        Terminal.leaveScreen()
        keyboard.end()
    }

    /// Says something that the user should know.
    func notify(_ message: String) { messages.append(message) }

    /// The keys pressed since the last call, but for those of every view.
    func takeKeys(_ performance: LivePerformance) -> [Key] {
        followJobControl()
        return keyboard.takeKeys().filter { key in
            switch key {
            case .controlQ, .controlD: performance.end()
            case .character("?"): isHelpShown.toggle()
            case .escape where isHelpShown: isHelpShown = false
            default: return !undo.handle(key, performance)
            }
            return false
        }
    }

    /// Shows a picture.
    ///
    /// - Parameter lines: makes at most so many rows of so many columns.
    func show(_ lines: (_ columns: Int, _ rows: Int) -> [String]) {
        guard Suspension.holdsTerminal else { return }
        let size = Terminal.size
        if let answer = undo.takeAnswer() {
            notice = (answer, Date(timeIntervalSinceNow: ScreenFrame.noticeSeconds))
        }
        if let until = notice?.until, until < Date() { notice = nil }
        let messages = messages + [notice?.text].compactMap { $0 }
        let notes = messages.flatMap { Style.wrapped($0, size.columns - 2) }
        // The help shows all keys, whatever else has to make way.
        let certain = isHelpShown ? 0 : min(notes.count, ScreenFrame.messageLines, max(0, size.rows - 6))
        let room = max(1, size.rows - certain)
        let picture = isHelpShown ? help().page(columns: size.columns, rows: room) : lines(size.columns, room)
        let more = notes.suffix(max(0, size.rows - min(room, picture.count)))
        Terminal.show(picture.prefix(room) + more.map { Style.warning(" " + $0) }, rows: size.rows)
    }
}
