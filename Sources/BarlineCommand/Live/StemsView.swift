import BarlineEngine
import BarlineSession
import Foundation

/// Stems on a terminal: position, faders, meters; keys play, seek and mix.
final class StemsView: LiveView {
    private let frame = ScreenFrame { StemMixer.help }
    private var mixer = StemMixer(SessionDocument())

    func begin(_ performance: LivePerformance) {
        mixer = StemMixer(performance.player.document)
        frame.begin(performance)
    }

    func end() { frame.end() }

    func abandon() { frame.abandon() }

    func notify(_ message: String) { frame.notify(message) }

    func update(_ performance: LivePerformance, events: [EngineEvent], state: EngineState) {
        mixer.follow(performance.player.document)
        for key in frame.takeKeys(performance) {
            if key == .character("q") { performance.end() }
            if let action = mixer.action(for: key, state) { performance.perform(action, self) }
        }
        let screen = MixerScreen(player: performance.player, state: state, mixer: mixer)
        let name = Style.bold(Style.clean(performance.player.document.name))
        let output = Style.clean(performance.supervisor.format.name)
        frame.show { columns, rows in
            let help = StemMixer.help.lines(columns: columns, limit: max(1, min(3, rows / 6)))
            let lines = screen.lines(columns: columns, rows: rows - help.count - 2)
            return [Style.line([(name, 0), (output, 1)], columns)] + lines + [""] + help.map(Style.dim)
        }
    }
}
