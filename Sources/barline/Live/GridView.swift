import BarlineEngine
import BarlineOutputs
import BarlineSession
import BarlineTime
import Foundation

/// The grid on a terminal: clips with their states, the position, the meters; keys launch.
final class GridView: LiveView {
    private let keyboard = Keyboard()
    private var messages: [String] = []
    private var mixer = StemMixer(SessionDocument())
    /// Whether the stems' strips are in the place of the grid, and have the keys.
    private var isMixerShown = false

    func begin(_ performance: LivePerformance) {
        mixer = StemMixer(performance.player.document)
        keyboard.begin()
        Terminal.enterScreen()
    }

    func end() {
        Terminal.leaveScreen()
        keyboard.end()
        for message in messages.suffix(3) { Terminal.complain(message) }
    }

    func tell(_ message: String) { messages.append(message) }

    func update(_ performance: LivePerformance, events: [EngineEvent], state: EngineState) {
        mixer.follow(performance.player.document)
        for key in keyboard.takeKeys() {
            if key == .character("\t"), !performance.player.document.stems.isEmpty {
                isMixerShown.toggle()
            } else if isMixerShown, let action = mixer.action(for: key, state) {
                performance.perform(action, self)
            } else {
                handle(key, performance, state)
            }
        }
        for event in events {
            if case .voicesExhausted = event.kind, let line = EventText.line(event, performance.player) { tell(line) }
        }
        let size = Terminal.size
        let mixerScreen = MixerScreen(player: performance.player, state: state, mixer: mixer)
        let screen = GridScreen(performance, state: state, messages: messages)
        let lines = screen.lines(columns: size.columns, rows: size.rows, mixer: mixerScreen, isMixerShown: isMixerShown)
        Terminal.show(lines, rows: size.rows)
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
            let tempo = ((state.transport.tempo.beatsPerMinute + step) * 10).rounded() / 10
            performance.perform(.tempo(bpm: tempo, ramp: 0), self)
        case .playStems:
            if !performance.player.document.stems.isEmpty {
                performance.perform(.stems(state.multitrack.phase == .paused ? .play : .pause), self)
            }
        case .metronome: performance.perform(.metronome(MetronomeChange(isOn: !state.isMetronomeOn)), self)
        case .lockPhase: lockPhase(performance, state)
        case .tap: performance.perform(.tap, self)
        case .quit: performance.end()
        }
    }

    /// Locks what plays to the timeline; what is locked already gets a time base of its own again.
    private func lockPhase(_ performance: LivePerformance, _ state: EngineState) {
        let player = performance.player
        let playing = state.tracks.compactMap { $0.playing?.clip }
        let isLocked = playing.allSatisfy { player.engine.settings(of: $0)?.startPosition == .synced }
        for (id, binding) in player.clips {
            guard let handle = binding.handle, playing.contains(handle) else { continue }
            performance.perform(.startPosition(clip: id, isLocked ? .fromStart : .synced), self)
        }
    }

    // A terminal tells of keys that go down only: the next press of a held clip's key releases it.
    private func press(track: Int, slot: Int, _ performance: LivePerformance, _ state: EngineState) {
        guard let clip = performance.player.clip(track: track, slot: slot) else {
            if performance.player.document.tracks.indices.contains(track) {
                performance.perform(.stop(track: performance.player.document.tracks[track].id), self)
            }
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
