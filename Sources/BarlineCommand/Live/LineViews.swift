import BarlineEngine
import BarlineHost
import BarlineOutputs
import BarlineServer
import BarlineSession
import BarlineTime
import Foundation

/// Plain lines, for whatever is no terminal.
final class PlainView: LiveView {
    private let reader = ActionReader()

    func begin(_ performance: LivePerformance) {
        Terminal.printLine("\(performance.player.document.name) on \(performance.supervisor.format.name)")
        // Where output is by lines, actions can be typed as lines; elsewhere the keyboard belongs to another view.
        if !Terminal.hasKeyboard || Terminal.hasScreen { reader.start(performance) }
    }

    func update(_ performance: LivePerformance, events: [EngineEvent], state: EngineState) {
        let (answers, dropped) = reader.takeAnswers()
        for answer in answers { if let text = answer.message { notify(text) } }
        if dropped > 0 { notify("\(dropped) answers are left out here: nobody read them") }
        for event in events {
            if let line = EventText.line(event, performance.player) { Terminal.printLine(line) }
        }
    }

    func show(_ change: OutputChange) {
        switch change.kind {
        case .lost: Terminal.printLine("the output is gone; waiting for it")
        case .recovered: Terminal.printLine("the output is back: \(change.name)")
        case .changed: Terminal.printLine("playing to \(change.name)")
        }
    }

    func show(link: String) { Terminal.printLine("page: \(link)") }

    func notify(_ message: String) { Terminal.report(message) }

    func notifyMissed(_ count: Int) { Terminal.printLine("… \(count) events are left out here: nobody read them") }

    func end() {}
}

/// JSON Lines, for programs.
final class JSONView: LiveView {
    private let reader = ActionReader()
    private var nextLoad: FrameTime?

    /// How often the load is reported, in seconds: each report is that of the time since.
    private static let loadSeconds = 10.0

    func begin(_ performance: LivePerformance) {
        let format = performance.supervisor.format
        JSONOutput.print([
            "event": "output", "name": .string(format.name), "sampleRate": .number(format.sampleRate.hertz),
            "latency": .number(format.latency),
        ])
        if !Terminal.hasKeyboard { reader.start(performance) }
    }

    func update(_ performance: LivePerformance, events: [EngineEvent], state: EngineState) {
        let (answers, dropped) = reader.takeAnswers()
        for answer in answers {
            Terminal.write(answer.line + "\n")
            if let text = answer.message { notify(text) }
        }
        if dropped > 0 { notifyMissed(dropped) }
        for event in events {
            if let line = performance.player.eventLine(event) { Terminal.write(line + "\n") }
        }
        reportLoad(performance, state)
    }

    private func reportLoad(_ performance: LivePerformance, _ state: EngineState) {
        let following = state.frame + Int64(JSONView.loadSeconds * state.sampleRate.hertz)
        guard let due = nextLoad else { return nextLoad = following }
        guard state.frame >= due, let load = performance.supervisor.load else { return }
        nextLoad = following
        guard case .object(var values) = load.json else { return }
        values["event"] = "load"
        values["frame"] = .number(Double(state.frame.rawValue))
        values["xruns"] = .number(Double(performance.supervisor.xrunCount))
        JSONOutput.print(values)
    }

    func show(_ change: OutputChange) { Terminal.write(change.json.line + "\n") }

    func show(link: String) { JSONOutput.print(["event": "page", "link": .string(link)]) }

    func notify(_ message: String) { Terminal.report(message) }

    func notifyMissed(_ count: Int) { JSONOutput.print(["event": "missed", "count": .number(Double(count))]) }

    func end() {}
}
