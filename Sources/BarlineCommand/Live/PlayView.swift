import BarlineEngine
import BarlineSession
import Foundation

/// A playlist on a terminal: what plays, how far, and what follows; keys control it.
final class PlayView: LiveView {
    private let frame = ScreenFrame { PlaylistScreen.help }
    private var screen = PlaylistScreen()

    func begin(_ performance: LivePerformance) { frame.begin(performance) }

    func end() { frame.end() }

    func abandon() { frame.abandon() }

    func show(link: String) { notify("page: \(link)") }

    func notify(_ message: String) { frame.notify(message) }

    func update(_ performance: LivePerformance, events: [EngineEvent], state: EngineState) {
        let playlist = performance.player.playlist
        for key in frame.takeKeys(performance) {
            if key == .character("q") { performance.end() }
            let gain = performance.player.document.playlistSettings.gain
            if let action = screen.action(for: key, playlist.player, gain) {
                performance.perform(.playlist(action), self)
            }
        }
        let gain = performance.player.document.playlistSettings.gain
        let output = Style.clean(performance.supervisor.format.name)
        frame.show { columns, rows in
            let help = PlaylistScreen.help.lines(columns: columns, limit: max(1, min(3, rows / 6)))
            let list = screen.lines(playlist, state, gain: gain, columns: columns, rows: rows - help.count - 2)
            return [Style.line([(Style.bold("Playlist"), 0), (output, 1)], columns)] + list + [""]
                + help.map(Style.dim)
        }
    }
}

/// One picture of a playlist, and what its keys do.
struct PlaylistScreen {
    /// The item that keys act on.
    private var chosen: Int?

    /// The keys, in words.
    static let help = KeyHelp(
        [
            ("space", "play, pause"), ("n p", "next, previous"), ("← →", "seek"), ("↑ ↓ enter", "play"),
            ("d", "delete"), ("+ -", "volume"),
        ], quit: "q")

    /// What a key asks for.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - player: the playlist.
    ///   - gain: where its fader is, in dB.
    /// - Returns: the action; `nil` where it asks for nothing.
    mutating func action(for key: Key, _ player: PlaylistPlayer, _ gain: Double) -> PlaylistAction? {
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
        case .character("+"), .character("="): return .gain(min(12, max(-60, gain + 1)))
        case .character("-"): return .gain(min(gain, max(-60, gain - 1)))
        case .character, .function, .escape: break
        }
        return nil
    }

    private mutating func choose(_ index: Int, _ player: PlaylistPlayer) {
        chosen = max(0, min(index, player.items.count - 1))
    }

    /// The playlist's lines: what plays with its position, then the items around the chosen one.
    func lines(_ playlist: SessionPlaylist, _ state: EngineState, gain: Double, columns: Int, rows: Int) -> [String] {
        let items = playlist.player.items
        let current = playlist.player.currentIndex
        let first = max(0, min((chosen ?? current ?? 0) - rows / 2, items.count - (rows - 1)))
        let shown = items.indices.dropFirst(first).prefix(max(0, rows - 1))
        let digits = String(items.count).count
        let listed = shown.map { index in
            let mark = index == current ? "▶" : " "
            let isChosen = index == (chosen ?? current)
            let time = items[index].duration.map { PlaylistScreen.time($0, columns) } ?? ""
            let number = String(repeating: " ", count: digits - String(index + 1).count) + String(index + 1)
            let more = Style.more(index, in: shown, of: items.count)
            let name = "\(more)\(mark) \(number). \(playlist.title(of: items[index].id))"
            let line = Style.fit(name, max(1, columns - TextWidth.columns(time) - 1)) + time
            return isChosen ? Style.bold("›" + line.dropFirst()) : line
        }
        return [position(playlist, state, gain, columns)] + listed
    }

    /// Milliseconds are left out where there is little room.
    private static func time(_ seconds: Double, _ columns: Int) -> String {
        columns < GridScreen.compactBelow
            ? "\(Int(seconds) / 60):" + String(format: "%02d", Int(seconds) % 60) : EventText.time(seconds)
    }

    private func position(_ playlist: SessionPlaylist, _ state: EngineState, _ gain: Double, _ columns: Int) -> String {
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
        let level = gain.isFinite ? String(format: "%+.0f dB", gain) : "−∞ dB"
        let underruns = state.playlist.underrunCount
        let count = underruns > 0 ? "  \(underruns)" : ""
        let time = "\(PlaylistScreen.time(position, columns)) / \(PlaylistScreen.time(duration, columns))  \(level)"
        let width = columns - TextWidth.columns(time) - TextWidth.columns(count) - 6
        if width < 4 { return " \(mark) \(time)" + Style.warning(count) }
        let played = duration > 0 ? max(0, min(width, Int(position / duration * Double(width)))) : 0
        let bar = String(repeating: "━", count: played) + String(repeating: "─", count: width - played)
        return " \(mark) \(time)  \(bar)" + Style.warning(count)
    }
}
