import BarlineEngine
import BarlineSession
import BarlineTime
import Foundation

/// The grid's lines: a column for each track, a row for each scene.
struct GridCells {
    let document: SessionDocument
    let player: SessionPlayer
    let state: EngineState
    /// The places that play, or wait to.
    let active: Set<GridWindow.Place>
    /// The slots that are recorded into.
    let takes: [TakeStatus]
    /// The loops that are recorded over, by their clips.
    let overdubs: [String: OverdubStatus]
    /// The columns of what is before the first cell.
    let labelWidth: Int
    /// The columns of a cell.
    let width: Int
    /// Whether rows have numbers in the place of names.
    let isCompact: Bool

    /// The tracks' names, and how much of the grid is on the screen.
    func heading(_ window: GridWindow) -> String {
        let rows = window.rows
        let isWhole = rows.count == document.rowCount
        let part =
            isCompact ? "/\(document.rowCount)" : "\(rows.lowerBound + 1)–\(rows.upperBound)/\(document.rowCount)"
        let before = window.tracks.lowerBound > 0 ? "‹" : " "
        let after = window.tracks.upperBound < document.tracks.count ? "›" : ""
        let names = window.tracks.map { index in
            let track = document.tracks[index]
            let strip = strip(of: track)
            let marks = (strip?.isMuted == true ? " M" : "") + (strip?.isSoloed == true ? " S" : "")
            // What plays in a row that is not on the screen is shown here.
            let away = active.first { $0.track == index && !rows.contains($0.row) }.map { " ▶\($0.row + 1)" } ?? ""
            let lead = index == window.tracks.lowerBound ? "\(before)   " : "    "
            let tail = marks + away + (index == window.tracks.upperBound - 1 ? after : "")
            let name = Style.cut(Style.clean(track.name), max(0, width - 1 - TextWidth.columns(lead + tail)))
            return Style.bold(Style.fit(lead + name + tail, width))
        }
        return Style.dim(Style.fit(isWhole ? "" : part, labelWidth)) + names.joined()
    }

    /// A row.
    func scene(_ row: Int, _ window: GridWindow) -> String {
        let name = document.scenes.indices.contains(row) ? document.scenes[row].name : "\(row + 1)"
        return Style.dim(Style.fit(" " + (isCompact ? "\(row + 1)" : name), labelWidth))
            + window.tracks.map { track in
                cell(GridWindow.Place(track: track, row: row), window.chosen)
            }.joined()
    }

    /// The tracks' meters.
    func meters(_ window: GridWindow) -> String {
        String(repeating: " ", count: labelWidth)
            + window.tracks.map { index in
                let reading = strip(of: document.tracks[index])?.meter
                let peak = max(reading?.peakLeft ?? 0, reading?.peakRight ?? 0)
                return Style.filled("    " + Style.meter(peak, width - 6), width)
            }.joined()
    }

    /// The places that play, or wait to.
    static func active(_ player: SessionPlayer, _ state: EngineState) -> Set<GridWindow.Place> {
        var places: Set<GridWindow.Place> = []
        for track in player.document.tracks.indices {
            for row in 0..<player.document.rowCount {
                guard let clip = player.clip(track: track, slot: row), let handle = clip.handle else { continue }
                if state.status(of: handle, on: clip.track) != .stopped { places.insert(.init(track: track, row: row)) }
            }
        }
        return places
    }

    private func cell(_ place: GridWindow.Place, _ chosen: GridWindow.Place?) -> String {
        let mark = place == chosen ? "›" : " "
        guard let clip = player.clip(track: place.track, slot: place.row) else {
            return emptyCell(place, mark)
        }
        let key = KeyMap.label(track: place.track, slot: place.row) + mark
        guard let handle = clip.handle else { return Style.warning(text("\(key)✕", clip, "")) }
        if let overdub = overdubs[clip.document.id] {
            return overdub.since == nil
                ? Style.queued(text("\(key)○", clip, "")) : Style.warning(text("\(key)●", clip, ""))
        }
        switch state.status(of: handle, on: clip.track) {
        case .stopped: return text("\(key) ", clip, "")
        case .queued(let frames):
            let isLit = Int(state.frame.rawValue * 4 / Int64(state.sampleRate.hertz)) % 2 == 0
            return Style.queued(text("\(key)\(isLit ? "▷" : " ")", clip, beats(frames)))
        case .playing(let progress): return Style.playing(text("\(key)▶", clip, ""), progress)
        case .stopping(let progress, let frames):
            return Style.playing(text("\(key)■", clip, beats(frames)), progress)
        }
    }

    /// A place without a clip: recorded into, with the beats that it has, or that are waited for; or ready to be, or
    /// not.
    private func emptyCell(_ place: GridWindow.Place, _ mark: String) -> String {
        let track = document.tracks[place.track]
        let key = KeyMap.label(track: place.track, slot: place.row) + mark
        guard let take = takes.first(where: { $0.track == track.id && $0.slot == place.row }) else {
            return Style.dim(Style.fit(player.isArmed(track) ? "\(key)○" : " \(mark)  ·", width))
        }
        let queued = player.trackIndex(of: track.id).flatMap { state.tracks[$0.rawValue].queued }
        let left = queued.flatMap { $0.clip == take.clip ? $0.framesLeft : nil }
        let since = take.since.map { max(0, state.frame - $0) }
        let count = beats(since == nil ? left ?? 0 : left ?? since ?? 0)
        let text =
            "\(key)\(since == nil ? "○" : "●") \(since == nil ? "waits" : left == nil ? "records" : "closes") \(count)"
        return since == nil ? Style.queued(Style.fit(text, width)) : Style.warning(Style.fit(text, width))
    }

    /// A cell's text with an empty last column: everything else makes room for what counts down.
    private func text(_ lead: String, _ clip: ClipBinding, _ count: String) -> String {
        let isLocked = clip.handle.flatMap { player.engine.launcher.settings(of: $0) }?.startPosition == .synced
        let room = width - 2 - TextWidth.columns(lead)
        let name = (isLocked ? "≡ " : "") + Style.clean(clip.document.name)
        if count.isEmpty { return Style.fit("\(lead) \(Style.cut(name, room))", width) }
        let nameRoom = room - count.count - 1
        // One or two letters tell nobody which clip it is.
        return Style.fit("\(lead) \(nameRoom < 3 ? "" : Style.cut(name, nameRoom) + " ")\(count)", width)
    }

    /// A wait in beats of the tempo now, in five columns at the most.
    private func beats(_ frames: Int64) -> String {
        let beats = state.transport.tempo.beats(in: state.sampleRate.seconds(frames: frames))
        return String(format: beats < 999.95 ? "%.1f" : "%.0f", beats)
    }

    private func strip(of track: TrackDocument) -> EngineState.Strip? {
        player.trackIndex(of: track.id).map { state.tracks[$0.rawValue].strip }
    }
}
