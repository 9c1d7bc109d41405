import BarlineEngine
import BarlineSession
import Foundation

/// Stems on a terminal: position, faders, meters; keys play, seek and mix.
final class StemsView: LiveView {
    private let keyboard = Keyboard()
    private var messages: [String] = []
    private var mixer = StemMixer(SessionDocument())

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
            if key == .character("\u{11}") || key == .character("\u{4}") || key == .character("q") { performance.end() }
            if let action = mixer.action(for: key, state) { performance.perform(action, self) }
        }
        let size = Terminal.size
        let told = messages.flatMap { Style.wrapped($0, size.columns - 2) }.suffix(3)
        let screen = MixerScreen(player: performance.player, state: state, mixer: mixer)
        var lines = [" \(Style.bold(performance.player.document.name))  \(performance.supervisor.format.name)", ""]
        lines += screen.lines(columns: size.columns, rows: size.rows - 5 - told.count)
        lines += ["", Style.dim(" " + StemMixer.help)] + told.map { Style.warning(" " + $0) }
        Terminal.show(lines, rows: size.rows)
    }
}
