import BarlineEngine
import BarlineSession
import Foundation

/// A playlist on a terminal: what plays, how far, and what follows; keys control it.
final class PlayView: LiveView {
    private let keyboard = Keyboard()
    private var messages: [String] = []
    private var screen = PlaylistScreen()

    func begin(_ performance: LivePerformance) {
        keyboard.begin()
        Terminal.enterScreen()
    }

    func end() {
        Terminal.leaveScreen()
        keyboard.end()
        for message in messages.suffix(3) { Terminal.complain(message) }
    }

    func show(link: String) { tell("page: \(link)") }

    func tell(_ message: String) { messages.append(message) }

    func update(_ performance: LivePerformance, events: [EngineEvent], state: EngineState) {
        let playlist = performance.player.playlist
        for key in keyboard.takeKeys() {
            if key == .character("\u{11}") || key == .character("\u{4}") || key == .character("q") { performance.end() }
            if let action = screen.action(for: key, playlist.player) { performance.perform(.playlist(action), self) }
        }
        let size = Terminal.size
        let told = messages.flatMap { Style.wrapped($0, size.columns - 2) }.suffix(3)
        var lines = [" \(Style.bold("Playlist"))  \(performance.supervisor.format.name)", ""]
        lines += screen.lines(playlist, state, columns: size.columns, rows: size.rows - 5 - told.count)
        lines += ["", Style.dim(" " + PlaylistScreen.help)] + told.map { Style.warning(" " + $0) }
        Terminal.show(lines, rows: size.rows)
    }
}

/// One picture of a playlist, and what its keys do.
struct PlaylistScreen {
    /// The item that keys act on.
    private var chosen: Int?
    private var volume = 0.0

    /// The keys, in words.
    static let help = "space pause · n p next, previous · ← → seek · ↑ ↓ enter play · d delete · + - volume · q ends"

    /// What a key asks for; `nil` where it asks for nothing.
    mutating func action(for key: Key, _ player: PlaylistPlayer) -> PlaylistAction? {
        switch key {
        case .up: choose((chosen ?? player.currentIndex ?? 0) - 1, player)
        case .down: choose((chosen ?? player.currentIndex ?? 0) + 1, player)
        case .left: return .seek(max(0, player.position - 5))
        case .right: return .seek(player.position + 5)
        case .character(" "): return player.phase == .paused || player.phase == .stopped ? .play : .pause
        case .character("n"): return .next
        case .character("p"): return .previous
        case .character("\n"), .character("\r"): return chosen.map(PlaylistAction.playIndex)
        case .character("d"): return (chosen ?? player.currentIndex).map(PlaylistAction.remove)
        case .character("+"), .character("="): return moveFader(by: 1)
        case .character("-"): return moveFader(by: -1)
        case .character, .function: break
        }
        return nil
    }

    private mutating func choose(_ index: Int, _ player: PlaylistPlayer) {
        chosen = max(0, min(index, player.items.count - 1))
    }

    private mutating func moveFader(by decibels: Double) -> PlaylistAction {
        volume = max(-60, min(12, volume + decibels))
        return .gain(volume)
    }

    /// The playlist's lines: what plays with its position, then the items around the chosen one.
    func lines(_ playlist: SessionPlaylist, _ state: EngineState, columns: Int, rows: Int) -> [String] {
        let items = playlist.player.items
        let current = playlist.player.currentIndex
        let first = max(0, min((chosen ?? current ?? 0) - rows / 2, items.count - (rows - 1)))
        let listed = items.indices.dropFirst(first).prefix(max(0, rows - 1)).map { index in
            let mark = index == current ? "▶" : " "
            let name = Style.fit(" \(mark) \(index + 1). \(playlist.title(of: items[index].id))", max(12, columns - 12))
            let time = items[index].duration.map { EventText.time($0) } ?? ""
            let line = "\(name) \(time)"
            return index == (chosen ?? current) ? Style.bold(line) : line
        }
        return [position(playlist, state, columns)] + listed
    }

    private func position(_ playlist: SessionPlaylist, _ state: EngineState, _ columns: Int) -> String {
        let item = playlist.player.currentItem
        let duration = item?.duration ?? 0
        let position = playlist.player.position
        let mark =
            switch state.playlist.phase {
            case .stopped: "■"
            case .paused: "‖"
            case .waiting: "…"
            case .playing: "▶"
            }
        let level = String(format: "%+.0f dB", volume)
        let time = "\(EventText.time(position)) / \(EventText.time(duration))  \(level)"
        let width = max(8, columns - time.count - 8)
        let played = duration > 0 ? max(0, min(width, Int(position / duration * Double(width)))) : 0
        let bar = String(repeating: "━", count: played) + String(repeating: "─", count: width - played)
        let underruns = state.playlist.underrunCount
        return " \(mark) \(time)  \(bar)" + (underruns > 0 ? Style.warning("  \(underruns)") : "")
    }
}
