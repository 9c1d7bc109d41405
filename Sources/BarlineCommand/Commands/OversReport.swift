import BarlineDSP
import BarlineFiles
import BarlineSession
import BarlineTime
import Foundation

/// Reports samples over full scale in what was rendered.
struct OversReport {
    private let main: String
    private let overs: [OfflineRender.FileOvers]
    private let sampleRate: SampleRate

    /// What there is to report of a render whose main file is `main`.
    init(_ report: OfflineRender.Report, main: String, sampleRate: SampleRate) {
        self.main = main
        overs = report.overs
        self.sampleRate = sampleRate
    }

    /// Warns on standard error, a line for each file.
    func report() {
        for file in overs {
            let count = file.overs.count == 1 ? "1 sample is" : "\(file.overs.count) samples are"
            let frame = file.overs.firstFrame ?? 0
            let place = String(format: "%.3f s (frame %lld)", sampleRate.seconds(frames: frame), frame)
            let loss = file.isCutOff ? "and cut off" : "and will be cut off where the file is played as it is"
            Terminal.report(
                "\(file.path): \(count) over full scale \(loss): the first at \(place), the highest at "
                    + String(format: "%+.1f dBFS", decibels(file))
                    + (isTrack(file) ? "" : "; --limiter on holds them down"))
        }
    }

    /// The keys of a command's report: the main file's number, and all that is known of every file.
    var json: [String: JSONValue] {
        let files = overs.map { file -> JSONValue in
            [
                "file": .string(file.path), "overs": .number(Double(file.overs.count)),
                "frame": .number(Double(file.overs.firstFrame ?? 0)),
                "peak": .number((decibels(file) * 100).rounded() / 100),
            ]
        }
        let count = overs.first { $0.path == main }?.overs.count ?? 0
        return ["overs": .number(Double(count)), "oversByFile": .array(files)]
    }

    private func decibels(_ file: OfflineRender.FileOvers) -> Double {
        min(Decibels(amplitude: Double(file.overs.peak)).rawValue, 999)
    }

    /// The limiter is on the buses: a track or stem apart is what it is.
    private func isTrack(_ file: OfflineRender.FileOvers) -> Bool {
        let name = file.path.lastPathName
        return file.path != main && !name.hasPrefix("bus-")
    }
}
