import BarlineEngine
import BarlineSession
import Foundation

/// One line for a metronome on a terminal: the beats as the listener hears them, the place and the tempo.
final class BeatView: LiveView {
    private let keyboard = Keyboard()

    func begin(_ performance: LivePerformance) {
        keyboard.begin()
        Terminal.write("\u{1B}[?25l")
        Terminal.printLine(Style.dim("t taps the tempo · + - by 1, [ ] by 0.1 · Ctrl-C ends"))
    }

    func end() {
        keyboard.end()
        Terminal.write("\u{1B}[?25h\n")
    }

    func tell(_ message: String) { Terminal.write("\r\u{1B}[K\(Style.warning(message))\n") }

    func update(_ performance: LivePerformance, events: [EngineEvent], state: EngineState) {
        for key in keyboard.takeKeys() {
            switch key {
            case .character("t"): performance.perform(.tap, self)
            case .character("+"), .character("="): nudge(1, performance, state)
            case .character("-"): nudge(-1, performance, state)
            case .character("]"): nudge(0.1, performance, state)
            case .character("["): nudge(-0.1, performance, state)
            case .character("\u{11}"), .character("\u{4}"): performance.end()
            default: break
            }
        }
        let tempo = String(format: "%.1f BPM", state.transport.tempo.beatsPerMinute)
        let lights = BeatLights(state, outputLatency: performance.supervisor.format.latency)
        Terminal.write("\r \(lights.text)  \(lights.place)  \(Style.bold(tempo))\u{1B}[K")
    }

    private func nudge(_ step: Double, _ performance: LivePerformance, _ state: EngineState) {
        performance.perform(
            .tempo(bpm: ((state.transport.tempo.beatsPerMinute + step) * 10).rounded() / 10, ramp: 0), self)
    }
}

/// The pulses of the bar under way, that of the beat that is heard being lit.
struct BeatLights {
    private let state: EngineState
    private let heard: UpcomingBeat?

    init(_ state: EngineState, outputLatency: Double) {
        self.state = state
        heard = state.transport.isRolling ? state.beatHeard(outputLatency: outputLatency) : nil
    }

    /// A light a pulse.
    var text: String {
        (1...state.transport.timeSignature.numerator).map { pulse in
            guard let heard, pulse == heard.pulse else { return "○" }
            return heard.isAccented ? Style.bold("●") : "●"
        }.joined(separator: " ")
    }

    /// Bar and pulse.
    var place: String { heard.map { "\($0.bar).\($0.pulse)" } ?? (state.transport.isRolling ? "" : "stopped") }
}
