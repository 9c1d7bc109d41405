import BarlineDSP
import BarlineEngine
import BarlineOutputs
import BarlineSession
import Foundation

/// One picture of the grid, as text with colours.
struct GridScreen {
    private let document: SessionDocument
    private let player: SessionPlayer
    private let state: EngineState
    private let status: OutputSupervisor.Status
    private let outputName: String
    private let xruns: Int64
    private let load: OutputLoad?
    private let loudness: Double
    private let link: String?
    private let lights: BeatLights
    private let active: Set<GridWindow.Place>

    /// With fewer columns the form is compact: names and lights that there is no room for are left out.
    static let compactBelow = 60

    init(_ performance: LivePerformance, state: EngineState, active: Set<GridWindow.Place>) {
        document = performance.player.document
        player = performance.player
        self.state = state
        status = performance.supervisor.status
        outputName = performance.supervisor.format.name
        xruns = performance.supervisor.xrunCount
        load = performance.supervisor.load
        loudness = performance.loudness
        link = performance.pageLink
        lights = BeatLights(state, outputLatency: performance.supervisor.format.latency)
        self.active = active
    }

    /// The screen with the grid in it, or as much of it as there is room for.
    func lines(columns: Int, rows: Int, window: inout GridWindow, mixer: MixerScreen, help: KeyHelp) -> [String] {
        let head = head(columns)
        let stems = document.stems.isEmpty ? [] : [mixer.position(columns)]
        // What matters most on a stage gets its lines first.
        var room = rows - head.count - 1
        func take(_ wanted: Int) -> Int {
            let given = max(0, min(wanted, room))
            room -= given
            return given
        }
        var gridRows = max(1, take(min(4, document.rowCount)))
        var helpLines = take(1)
        let hasStems = take(stems.count) > 0
        let hasMeters = take(1) > 0
        gridRows += take(document.rowCount - gridRows)
        let all = help.lines(columns: columns, limit: .max).count
        helpLines += take(min(all, 4) - helpLines)
        let blanks = take(hasMeters ? 2 : 1)

        let cells = cells(columns, rows: gridRows, window: &window)
        var lines = head + [cells.heading(window)]
        lines += window.rows.map { cells.scene($0, window) }
        if hasMeters { lines += (blanks > 1 ? [""] : []) + [cells.meters(window)] }
        if hasStems { lines += stems }
        if blanks > 0 { lines.append("") }
        return lines + help.lines(columns: columns, limit: helpLines).map(Style.dim)
    }

    /// The screen with the stems' strips in the place of the grid.
    func lines(columns: Int, rows: Int, mixer: MixerScreen, help: KeyHelp) -> [String] {
        let head = head(columns)
        let keys = help.lines(columns: columns, limit: max(1, min(3, rows - head.count - 2))).map(Style.dim)
        return head + mixer.lines(columns: columns, rows: max(2, rows - head.count - keys.count)) + keys
    }

    private func cells(_ columns: Int, rows: Int, window: inout GridWindow) -> GridCells {
        let isCompact = columns < GridScreen.compactBelow
        let longest = document.scenes.map { TextWidth.columns($0.name) }.max() ?? 0
        let label = isCompact ? 4 : max(4, min(12, longest + 2))
        let room = max(1, (columns - label) / 12)
        window.fit(rows: rows, of: document.rowCount, tracks: room, of: document.tracks.count)
        let width = max(1, min(40, (columns - label) / max(1, window.tracks.count)))
        return GridCells(
            document: document, player: player, state: state, active: active, takes: player.openTakes,
            overdubs: player.overdubs, labelWidth: label, width: width,
            isCompact: isCompact)
    }

    /// What is above the grid; a link is whole, over as many lines as it takes.
    private func head(_ columns: Int) -> [String] {
        let links = link.map { Style.wrapped($0, columns - 1) } ?? []
        return [title(columns), transport(columns)] + links.map { Style.dim(" " + $0) }
    }

    private func title(_ columns: Int) -> String {
        let output: String
        switch status {
        case .running: output = Style.clean(outputName)
        case .lost: output = Style.warning("the output is gone; waiting for it")
        case .stopped: output = "stopped"
        }
        return Style.line(
            [
                (Style.bold(Style.cut(Style.clean(document.name), columns - 1)), 0), (output, 1),
                ("\(Int(state.sampleRate.hertz)) Hz", 3), (xruns > 0 ? "\(xruns) xruns" : "", 2),
                (load.map { "load \(Int(($0.max * 100).rounded())) %" } ?? "", 4),
            ], columns)
    }

    private func transport(_ columns: Int) -> String {
        let transport = state.transport
        let click = state.isMetronomeOn ? Style.bold("click") : Style.dim("click off")
        let peak = Style.meter(max(state.buses[0].peakLeft, state.buses[0].peakRight), 16)
        let level = loudness.isFinite ? String(format: "%.1f LUFS", loudness) : "− LUFS"
        let held = LevelText.lights(state)
        return Style.line(
            [
                (Style.bold(String(format: "%.1f", transport.tempo.beatsPerMinute)) + " BPM", 0),
                ("\(transport.timeSignature)", 1), (transport.song, 2), (lights.text, 5), (lights.place, 1), (click, 2),
                (peak, 4),
                (level, 3), (held, 1),
            ], columns)
    }
}

extension EngineState.Transport {
    /// The bar of the song, from 1, in the metre under way.
    var songBar: Int { Int((songPosition.rawValue / timeSignature.quartersPerBar + 1e-9).rounded(.down)) + 1 }

    /// Where the song is, where that is not where the transport is, or it loops.
    fileprivate var song: String {
        let isLooping = songLoop?.isOn == true
        if songPosition == beat, !isLooping { return "" }
        return "song bar \(songBar)" + (isLooping ? " ↻" : "")
    }
}
