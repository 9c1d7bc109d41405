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
    private let loudness: Double
    private let link: String?
    private let lights: BeatLights
    private let messages: [String]

    init(_ performance: LivePerformance, state: EngineState, messages: [String]) {
        document = performance.player.document
        player = performance.player
        self.state = state
        status = performance.supervisor.status
        outputName = performance.supervisor.format.name
        xruns = performance.supervisor.xrunCount
        loudness = performance.loudness
        link = performance.pageLink
        lights = BeatLights(state, outputLatency: performance.supervisor.format.latency)
        self.messages = messages
    }

    /// The whole screen. With `isMixerShown` the stems' strips are in the place of the grid.
    func lines(columns: Int, rows: Int, mixer: MixerScreen, isMixerShown: Bool) -> [String] {
        let width = max(8, min(28, (columns - 12) / max(1, document.tracks.count)))
        var lines = [title, transport, link.map { Style.dim(Style.fit(" " + $0, columns)) } ?? ""]
        if isMixerShown {
            lines += mixer.lines(columns: columns, rows: max(2, rows - lines.count - 5))
            lines += ["", Style.dim("keys: " + StemMixer.help), Style.dim("      tab back to the grid")]
        } else {
            lines.append(heading(width))
            for row in 0..<document.rowCount { lines.append(scene(row, width)) }
            lines += ["", meters(width)]
            if !document.stems.isEmpty { lines += ["", mixer.position(columns)] }
            lines += [
                "", Style.dim("keys: letters launch · shift or F1… scene · space stop all · . stop now"),
                Style.dim("      + - tempo by 1, [ ] by 0.1 · p taps it · l click · o phase lock (≡) · Ctrl-Q ends"),
            ]
            if !document.stems.isEmpty { lines.append(Style.dim("      enter stems on and off · tab their mixer")) }
        }
        let told = messages.flatMap { Style.wrapped($0, columns - 2) }
        return lines + told.suffix(max(1, rows - lines.count - 1)).map { Style.warning(" " + $0) }
    }

    private var title: String {
        let output: String
        switch status {
        case .running: output = outputName
        case .lost: output = Style.warning("the output is gone; waiting for it")
        case .stopped: output = "stopped"
        }
        return " \(Style.bold(document.name))  \(output)  \(Int(state.sampleRate.hertz)) Hz"
            + (xruns > 0 ? "  \(xruns) xruns" : "")
    }

    private var transport: String {
        let transport = state.transport
        let click = state.isMetronomeOn ? Style.bold("click") : Style.dim("click off")
        let peak = Style.meter(max(state.buses[0].peakLeft, state.buses[0].peakRight), 16)
        let level = loudness.isFinite ? String(format: "%.1f LUFS", loudness) : "− LUFS"
        return " \(Style.bold(String(format: "%.1f", transport.tempo.beatsPerMinute))) BPM"
            + "  \(transport.timeSignature)  \(lights.text)  \(lights.place)  \(click)  \(peak) \(level)"
            + LevelText.lights(state)
    }

    private func heading(_ width: Int) -> String {
        "            "
            + document.tracks.map { track in
                let strip = strip(of: track)
                let marks = (strip?.isMuted == true ? " M" : "") + (strip?.isSoloed == true ? " S" : "")
                return Style.bold(Style.fit("    " + track.name + marks, width))
            }.joined()
    }

    private func scene(_ row: Int, _ width: Int) -> String {
        let name = document.scenes.indices.contains(row) ? document.scenes[row].name : "\(row + 1)"
        return Style.dim(" " + Style.fit(name, 11))
            + document.tracks.indices.map { cell(track: $0, row: row, width) }.joined()
    }

    private func cell(track: Int, row: Int, _ width: Int) -> String {
        guard let clip = player.clip(track: track, slot: row) else { return Style.dim(Style.fit("    ·", width)) }
        let key = KeyMap.label(track: track, slot: row)
        guard let handle = clip.handle else {
            return Style.warning(Style.fit("\(key) ✕ \(clip.document.name)", width))
        }
        let isLocked = player.engine.settings(of: handle)?.startPosition == .synced
        let name = (isLocked ? "≡ " : "") + clip.document.name
        switch state.status(of: handle, on: clip.track) {
        case .stopped: return Style.fit("\(key)   \(name)", width)
        case .queued(let frames):
            let isLit = Int(state.frame.rawValue * 4 / Int64(state.sampleRate.hertz)) % 2 == 0
            return Style.queued(Style.fit("\(key) \(isLit ? "▷" : " ") \(name) \(beats(frames))", width))
        case .playing(let progress): return Style.playing(Style.fit("\(key) ▶ \(name)", width), progress)
        case .stopping(let progress, let frames):
            return Style.playing(Style.fit("\(key) ■ \(name) \(beats(frames))", width), progress)
        }
    }

    /// A wait in beats of the tempo now.
    private func beats(_ frames: Int64) -> String {
        String(format: "%.1f", state.sampleRate.seconds(frames: frames) * state.transport.tempo.beatsPerMinute / 60)
    }

    private func meters(_ width: Int) -> String {
        "            "
            + document.tracks.map { track in
                let reading = strip(of: track)?.meter
                let peak = max(reading?.peakLeft ?? 0, reading?.peakRight ?? 0)
                return Style.fit("    " + Style.meter(peak, width - 6), width)
            }.joined()
    }

    private func strip(of track: TrackDocument) -> EngineState.Strip? {
        player.trackIndex(of: track.id).map { state.tracks[$0.rawValue].strip }
    }
}
