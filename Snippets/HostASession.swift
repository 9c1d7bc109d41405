// A session that is played without a face, and an observer that prints what is heard.

import BarlineHost
import BarlineOutputs
import BarlineSession
import Foundation

final class Printer: HostObserver {
    private let player: SessionPlayer

    init(_ player: SessionPlayer) { self.player = player }

    func receive(_ report: HostReport) {
        for event in report.audibleEvents { if let line = player.eventLine(event) { print(line) } }
        for notice in report.notices { print(notice.text) }
    }
}

func play(_ path: String) async throws {
    let host = try await SessionHost(
        SessionHost.Plan(SessionDocument(path: path), path: path), on: OutputSelection())
    host.add(Printer(host.player))
    host.start()
    try host.perform(.launchScene(0))
    try await Task.sleep(for: .seconds(10))
    try host.stop()
}

// snippet.hide
if CommandLine.arguments.count > 1 { try await play(CommandLine.arguments[1]) }
