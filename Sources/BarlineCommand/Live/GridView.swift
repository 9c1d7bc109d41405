import BarlineEngine
import BarlineOutputs
import BarlineSession
import BarlineTime
import Foundation

/// The grid on a terminal: clips with their states, the position, the meters; keys launch.
final class GridView: LiveView {
    private lazy var frame = ScreenFrame { [unowned self] in help }
    private var mixer = StemMixer(SessionDocument())
    private var window = GridWindow()
    private let pitchKeys = PitchKeys()
    /// Whether the stems' strips are in the place of the grid, and have the keys.
    private var isMixerShown = false

    private var help: KeyHelp { isMixerShown ? StemMixer.gridHelp : KeyMap.help(hasStems: !mixer.stems.isEmpty) }

    func begin(_ performance: LivePerformance) {
        mixer = StemMixer(performance.player.document)
        frame.begin(performance)
    }

    func end() { frame.end() }

    func abandon() { frame.abandon() }

    func notify(_ message: String) { frame.notify(message) }

    func update(_ performance: LivePerformance, events: [EngineEvent], state: EngineState) {
        let player = performance.player
        mixer.follow(player.document)
        if mixer.stems.isEmpty { isMixerShown = false }
        for key in frame.takeKeys(performance) {
            if key == .character("\t"), !mixer.stems.isEmpty {
                isMixerShown.toggle()
            } else if isMixerShown, let action = mixer.action(for: key, state) {
                performance.perform(action, self)
            } else if isMixerShown || !choose(key, performance, state) {
                handle(key, performance, state)
            }
        }
        for event in events {
            switch event.kind {
            case .launcher(.voicesExhausted), .launcher(.underrun), .voicesShed:
                if let line = EventText.line(event, player) { notify(line) }
            default: break
            }
        }
        if let answer = pitchKeys.takeAnswer() { notify(answer) }
        let active = GridCells.active(player, state)
        window.follow(active)
        let mixerScreen = MixerScreen(player: player, state: state, mixer: mixer)
        let screen = GridScreen(performance, state: state, active: active)
        frame.show { columns, rows in
            isMixerShown
                ? screen.lines(columns: columns, rows: rows, mixer: mixerScreen, help: help)
                : screen.lines(columns: columns, rows: rows, window: &window, mixer: mixerScreen, help: help)
        }
    }

    /// Moves the choice, or launches it; `false` where the key does something else.
    private func choose(_ key: Key, _ performance: LivePerformance, _ state: EngineState) -> Bool {
        let document = performance.player.document
        func move(_ tracks: Int, _ rows: Int) {
            window.move(
                tracks: tracks, rows: rows, trackCount: document.tracks.count, rowCount: document.rowCount)
        }
        switch key {
        case .up: move(0, -1)
        case .down: move(0, 1)
        case .left: move(-1, 0)
        case .right: move(1, 0)
        case .escape: window.drop()
        case .character("\n"), .character("\r"):
            guard let place = window.chosen else { return false }
            press(track: place.track, slot: place.row, performance, state)
        default: return false
        }
        return true
    }

    private func handle(_ key: Key, _ performance: LivePerformance, _ state: EngineState) {
        guard let command = KeyMap.command(for: key) else { return }
        switch command {
        case .clip(let track, let slot): press(track: track, slot: slot, performance, state)
        case .scene(let row):
            if row < performance.player.document.rowCount { performance.perform(.launchScene(row), self) }
        case .stopAll: performance.perform(.stopAll, self)
        case .panic: performance.perform(.transport(isRolling: false), self)
        case .nudgeTempo(let step):
            // What a key before it has asked for may not be there yet.
            let tempo = ((performance.player.engine.transport.tempo.beatsPerMinute + step) * 10).rounded() / 10
            performance.perform(.tempo(bpm: tempo, ramp: 0), self)
        case .playStems:
            if !performance.player.document.stems.isEmpty {
                performance.perform(.stems(state.multitrack.phase == .paused ? .play : .pause), self)
            }
        case .metronome: performance.perform(.metronome(MetronomeChange(isOn: !state.isMetronomeOn)), self)
        case .lockPhase: lockPhase(performance, state)
        case .tap: performance.perform(.tap, self)
        case .songLoop: loopSong(performance, state)
        case .pitch(let change):
            let clip = window.chosen.flatMap { performance.player.clip(track: $0.track, slot: $0.row) }
            pitchKeys.change(clip?.document, change, performance)
        }
    }

    /// Turns the song's loop on or off; the first one is four bars from the song's bar under way on.
    private func loopSong(_ performance: LivePerformance, _ state: EngineState) {
        if let loop = state.transport.songLoop {
            performance.perform(.looping(!loop.isOn), self)
        } else {
            performance.perform(.loop(.bars(first: max(1, state.transport.songBar), count: 4), isOn: true), self)
        }
    }

    /// Locks what plays to the timeline; what is locked already gets a time base of its own again.
    private func lockPhase(_ performance: LivePerformance, _ state: EngineState) {
        let player = performance.player
        let playing = state.tracks.compactMap { $0.playing?.clip }
        let isLocked = playing.allSatisfy { player.engine.launcher.settings(of: $0)?.startPosition == .synced }
        for (id, binding) in player.clips {
            guard let handle = binding.handle, playing.contains(handle) else { continue }
            performance.perform(.startPosition(clip: id, isLocked ? .fromStart : .synced), self)
        }
    }

    // A terminal reports keys that go down only: the next press of a held clip's key releases it.
    private func press(track: Int, slot: Int, _ performance: LivePerformance, _ state: EngineState) {
        let tracks = performance.player.document.tracks
        if tracks.indices.contains(track), performance.player.hasFootSwitch(slot: slot, on: tracks[track]) {
            performance.press(FootSwitch.Pedal(track: tracks[track].id, slot: slot), self)
            return
        }
        guard let clip = performance.player.clip(track: track, slot: slot) else {
            if tracks.indices.contains(track) { performance.perform(.stop(track: tracks[track].id), self) }
            return
        }
        let isHeldMode = clip.document.launchMode == .gate || clip.document.launchMode == .repeat
        if isHeldMode, let handle = clip.handle, state.status(of: handle, on: clip.track) != .stopped {
            performance.perform(.release(clip: clip.document.id), self)
        } else {
            performance.perform(.launch(clip: clip.document.id), self)
        }
    }
}
