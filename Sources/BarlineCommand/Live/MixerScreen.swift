import BarlineDSP
import BarlineEngine
import BarlineSession
import Foundation

/// One picture of the stems: their position, and a strip for each.
struct MixerScreen {
    let player: SessionPlayer
    let state: EngineState
    let mixer: StemMixer

    /// The stems' lines: the bar with the position, then the strips around the chosen one.
    func lines(columns: Int, rows: Int) -> [String] {
        [position(columns)] + strips(columns, count: max(1, rows - 1))
    }

    /// Where the stems are, in one line.
    func position(_ columns: Int) -> String {
        let duration = player.multitrack?.duration ?? 0
        let position = state.multitrack.position
        let mark: String
        switch state.multitrack.phase {
        case .paused: mark = "‖"
        case .waiting: mark = "…"
        case .playing: mark = "▶"
        case .starved: mark = "!"
        }
        let underruns = state.multitrack.underrunCount
        let count = underruns > 0 ? "  \(underruns) underruns" : ""
        let time = "\(EventText.time(position)) / \(EventText.time(duration))"
        let width = max(0, columns - TextWidth.columns(time) - TextWidth.columns(count) - 6)
        if width < 4 { return " \(mark) \(time)" + Style.warning(count) }
        let played = duration > 0 ? max(0, min(width, Int(position / duration * Double(width)))) : 0
        var bar = Array(String(repeating: "━", count: played) + String(repeating: "─", count: width - played))
        for marker in player.document.markers where duration > 0 && marker.position <= duration {
            bar[min(width - 1, Int(marker.position / duration * Double(width)))] = "┿"
        }
        return " \(mark) \(time)  \(String(bar))" + Style.warning(count)
    }

    private func strips(_ columns: Int, count: Int) -> [String] {
        let stems = mixer.stems
        let nameWidth = max(8, min(26, columns - 18))
        let first = max(0, min(mixer.chosen - count / 2, stems.count - count))
        let shown = stems.indices.dropFirst(first).prefix(count)
        return shown.compactMap { index in
            guard let place = player.stemIndex(of: stems[index].id) else { return nil }
            let strip = state.stems[place.rawValue]
            let reading = strip.meter
            let mark = index == mixer.chosen ? "›" : " "
            let more = Style.more(index, in: shown, of: stems.count)
            let name = Style.fit("\(more)\(mark) \(stems[index].name)", nameWidth)
            let marks = (strip.isMuted ? "M" : "·") + (strip.isSoloed ? "S" : "·")
            let gain = mixer.gains[index].isFinite ? String(format: "%+6.1f dB", mixer.gains[index]) : "   −∞ dB"
            let room = min(40, columns - nameWidth - 16)
            let meter = Style.meter(max(reading.peakLeft, reading.peakRight), room < 4 ? 0 : room)
            let line = "\(name) \(marks) \(gain)  \(meter)"
            return index == mixer.chosen ? Style.bold(line) : line
        }
    }
}

/// The stems' strips as the keys have moved them.
struct StemMixer {
    /// The stem that keys act on.
    private(set) var chosen = 0
    /// The faders in dB.
    private(set) var gains: [Double]
    private let document: SessionDocument

    /// The stems, in the order of the strips.
    var stems: [StemDocument] { document.stems }

    init(_ document: SessionDocument) {
        self.document = document
        gains = document.stems.map(\.gain)
    }

    /// Takes over what others have done to the stems.
    mutating func follow(_ document: SessionDocument) {
        if document.stems == self.document.stems { return }
        let chosen = chosen
        self = StemMixer(document)
        choose(chosen)
    }

    /// The keys, in words.
    static let help = KeyHelp(keys, quit: "q")
    /// The same where the strips are in the place of a grid.
    static let gridHelp = KeyHelp([("tab", "back to the grid")] + keys, saves: true)

    private static let keys = [
        ("space", "play, pause"), ("← →", "seek"), ("↑ ↓", "choose"), ("+ -", "gain"), ("m", "mute"), ("s", "solo"),
        ("0", "start"),
    ]

    /// What a key asks for; `nil` where it asks for nothing.
    mutating func action(for key: Key, _ state: EngineState) -> ScriptAction? {
        switch key {
        case .up: choose(chosen - 1)
        case .down: choose(chosen + 1)
        case .left: return .stems(.seek(max(0, state.multitrack.position - 5)))
        case .right: return .stems(.seek(state.multitrack.position + 5))
        case .character(" "): return .stems(state.multitrack.phase == .paused ? .play : .pause)
        case .character("0"): return .stems(.seek(0))
        case .character("+"), .character("="): return moveFader(by: 1)
        case .character("-"): return moveFader(by: -1)
        case .character("m"): return strip.map { .mute($0, !document.stems[chosen].mute) }
        case .character("s"): return strip.map { .solo($0, !document.stems[chosen].solo) }
        case .character, .function, .escape: break
        }
        return nil
    }

    private var strip: StripName? {
        document.stems.indices.contains(chosen) ? .stem(document.stems[chosen].id) : nil
    }

    private mutating func choose(_ index: Int) { chosen = max(0, min(index, document.stems.count - 1)) }

    private mutating func moveFader(by decibels: Double) -> ScriptAction? {
        guard let strip else { return nil }
        let from = gains[chosen].isFinite ? gains[chosen] : -60
        gains[chosen] = max(-60, min(12, from + decibels))
        return .gain(strip, db: gains[chosen])
    }
}
