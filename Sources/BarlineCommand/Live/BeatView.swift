import BarlineEngine
import BarlineSession
import Foundation

/// One line for a metronome on a terminal: the beats as they become audible, the place and the tempo.
final class BeatView: LiveView {
    private let keyboard = Keyboard()
    private let undo = UndoKeys()

    func begin(_ performance: LivePerformance) {
        Suspension.install()
        keyboard.begin { [host = performance.host] in host.look() }
        followJobControl()
    }

    func end() { Suspension.release(leave) }

    func abandon() { Suspension.release(keyboard.end) }

    func notify(_ message: String) {
        for line in Style.wrapped(message, Terminal.size.columns - 1) {
            Terminal.write("\r\u{1B}[K\(Style.warning(line))\n")
        }
    }

    private func followJobControl() { Suspension.handle(restore: leave, takeOver: takeOver) }

    private func leave() {
        keyboard.end()
        Terminal.write("\u{1B}[?25h\n")
    }

    private func takeOver() {
        keyboard.takeOver()
        // Who was stopped by other means left a line begun.
        Terminal.write("\u{1B}[?25l\r\u{1B}[K")
        let help = "t taps the tempo · + - by 1, [ ] by 0.1 · Ctrl-Z undoes · Ctrl-C ends"
        for line in Style.wrapped(help, Terminal.size.columns - 1) { Terminal.write(Style.dim(line) + "\n") }
    }

    func update(_ performance: LivePerformance, events: [EngineEvent], state: EngineState) {
        followJobControl()
        for key in keyboard.takeKeys() {
            switch key {
            case .character("t"): performance.perform(.tap, self)
            case .character("+"), .character("="): nudge(1, performance)
            case .character("-"): nudge(-1, performance)
            case .character("]"): nudge(0.1, performance)
            case .character("["): nudge(-0.1, performance)
            case .controlQ, .controlD: performance.end()
            default: _ = undo.handle(key, performance)
            }
        }
        guard Suspension.holdsTerminal else { return }
        if let answer = undo.takeAnswer() { notify(answer) }
        let tempo = Style.bold(String(format: "%.1f BPM", state.transport.tempo.beatsPerMinute))
        let lights = BeatLights(state, outputLatency: performance.supervisor.format.latency)
        let line = Style.line([(lights.text, 1), (lights.place, 0), (tempo, 0)], Terminal.size.columns - 1)
        Terminal.write("\r\(line)\u{1B}[K")
    }

    private func nudge(_ step: Double, _ performance: LivePerformance) {
        // What a key before it has asked for may not be there yet.
        let tempo = performance.player.engine.transport.tempo.beatsPerMinute
        performance.perform(.tempo(bpm: ((tempo + step) * 10).rounded() / 10, ramp: 0), self)
    }
}

/// The pulses of the bar under way, that of the beat that is heard being lit.
struct BeatLights {
    private let state: EngineState
    private let audible: UpcomingBeat?

    init(_ state: EngineState, outputLatency: Double) {
        self.state = state
        audible = state.transport.isRolling ? state.audibleBeat(outputLatency: outputLatency) : nil
    }

    /// A light a pulse.
    var text: String {
        (1...state.transport.timeSignature.numerator).map { pulse in
            guard let audible, pulse == audible.pulse else { return "○" }
            return audible.isAccented ? Style.bold("●") : "●"
        }.joined(separator: " ")
    }

    /// Bar and pulse.
    var place: String { audible.map { "\($0.bar).\($0.pulse)" } ?? (state.transport.isRolling ? "" : "stopped") }
}
