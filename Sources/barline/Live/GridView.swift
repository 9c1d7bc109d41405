import BarlineEngine
import BarlineOutputs
import BarlineSession
import BarlineTime
import Foundation

/// The grid on a terminal: clips with their states, the position, the meters; keys launch.
final class GridView: LiveView {
    private let keyboard = Keyboard()
    private var messages: [String] = []

    func begin(_ performance: LivePerformance) {
        keyboard.begin()
        // The alternate screen, without a cursor.
        Terminal.write("\u{1B}[?1049h\u{1B}[?25l")
    }

    func end() {
        Terminal.write("\u{1B}[?25h\u{1B}[?1049l")
        keyboard.end()
        for message in messages.suffix(3) { Terminal.complain(message) }
    }

    func tell(_ message: String) { messages.append(message) }

    func update(_ performance: LivePerformance, events: [EngineEvent], state: EngineState) {
        for key in keyboard.takeKeys() { handle(key, performance, state) }
        for event in events {
            if case .voicesExhausted = event.kind, let line = EventText.line(event, performance.player) { tell(line) }
        }
        let screen = GridScreen(performance, state: state, messages: messages)
        Terminal.write(screen.text(columns: Terminal.size.columns, rows: Terminal.size.rows))
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
        case .quit: performance.end()
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
