import ArgumentParser
import BarlineSession
import BarlineTime
import Foundation

/// Runs an offline render with its progress, and reports what it wrote.
struct RenderReport {
    let path: String
    let duration: Double
    let audio: AudioFileOptions
    let json: Bool

    /// Renders; what the user should know goes to standard error.
    func run(_ player: SessionPlayer, _ render: OfflineRender) throws {
        let started = Date()
        for warning in player.warnings { Terminal.report(warning) }
        Interruption.await()
        var progress = ProgressBar("Rendering")
        defer { progress.end() }
        let done = try render.run { fraction in
            progress.show(fraction)
            if let status = Interruption.status { throw ExitCode(status) }
        }
        progress.end()
        for warning in done.warnings { Terminal.report(warning) }
        let overs = OversReport(done, main: path, sampleRate: audio.rate)
        overs.report()
        report(overs, took: -started.timeIntervalSinceNow)
    }

    private func report(_ overs: OversReport, took seconds: Double) {
        let frames = audio.rate.frames(seconds: duration)
        if json {
            let facts: [String: JSONValue] = [
                "file": .string(path), "frames": .number(Double(frames)), "sampleRate": .number(audio.sampleRate),
                "duration": .number(duration), "timesRealTime": .number((duration / seconds * 10).rounded() / 10),
            ]
            JSONOutput.print(facts.merging(overs.json) { $1 })
        } else {
            Terminal.printLine("\(path): \(frames) frames, \(Int(duration / seconds)) times real time")
        }
    }
}
