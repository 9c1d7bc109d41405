import BarlineEngine
import BarlineOutputs
import BarlineSession
import Foundation
import Synchronization

/// Reads actions from standard input, one JSON object a line, on a thread of its own.
final class ActionReader: Sendable {
    private let lines = Mutex<[String]>([])

    func start() {
        Thread.detachNewThread { [self] in
            while let line = readLine() { lines.withLock { $0.append(line) } }
        }
    }

    /// Performs what has come in.
    func performNew(_ performance: LivePerformance, _ view: any LiveView) {
        let new = lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
        for line in new where !line.allSatisfy(\.isWhitespace) {
            do throws(SessionError) {
                let action = try ScriptAction(json: line, source: "standard input")
                performance.perform(action, view)
            } catch {
                view.tell("\(error)")
            }
        }
    }
}

/// Plain lines, for whatever is no terminal.
final class PlainView: LiveView {
    private let reader = ActionReader()
    private var status: OutputSupervisor.Status?

    func begin(_ performance: LivePerformance) {
        Terminal.printLine(
            Style.clean("\(performance.player.document.name) on \(performance.supervisor.format.name)"))
        // Who has lines only can type actions in lines; elsewhere a keyboard is somebody else's.
        if !Terminal.hasKeyboard || Terminal.hasScreen { reader.start() }
    }

    func update(_ performance: LivePerformance, events: [EngineEvent], state: EngineState) {
        reader.performNew(performance, self)
        for event in events {
            if let line = EventText.line(event, performance.player) { Terminal.printLine(Style.clean(line)) }
        }
        let now = performance.supervisor.status
        if let status, status != now {
            switch now {
            case .running:
                Terminal.printLine(Style.clean("the output is back: \(performance.supervisor.format.name)"))
            case .lost(0): Terminal.printLine("the output is gone; waiting for it")
            case .lost, .stopped: break
            }
        }
        status = now
    }

    func show(link: String) { Terminal.printLine("page: \(link)") }

    func tell(_ message: String) { Terminal.complain(message) }

    func tellMissed(_ count: Int) { Terminal.printLine("… \(count) events are left out here: nobody read them") }

    func end() {}
}

/// JSON Lines, for programs.
final class JSONView: LiveView {
    private let reader = ActionReader()

    func begin(_ performance: LivePerformance) {
        let format = performance.supervisor.format
        JSONOutput.print([
            "event": "output", "name": .string(format.name), "sampleRate": .number(format.sampleRate.hertz),
            "latency": .number(format.latency),
        ])
        if !Terminal.hasKeyboard { reader.start() }
    }

    func update(_ performance: LivePerformance, events: [EngineEvent], state: EngineState) {
        reader.performNew(performance, self)
        for event in events {
            if let line = performance.player.eventLine(event) { Terminal.write(line + "\n") }
        }
    }

    func show(link: String) { JSONOutput.print(["event": "page", "link": .string(link)]) }

    func tell(_ message: String) { Terminal.complain(message) }

    func tellMissed(_ count: Int) { JSONOutput.print(["event": "missed", "count": .number(Double(count))]) }

    func end() {}
}
