import ArgumentParser
import BarlineAnalysis
import BarlineFiles
import BarlinePictures
import BarlineSession
import Foundation

/// `barline waveform`: the shape of a file.
struct WaveformCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waveform", abstract: "Shows a file's waveform as bars of RMS and peak.",
        usage: "barline waveform [<options>] <file>")

    @Argument(help: "The audio file.", completion: .file())
    var file: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many bars; default: 72, \(WaveformCommand.pictureWidth) for a picture.", valueName: "count"))
    var points: Int?

    @Flag(help: "Print the bars as JSON.")
    var json = false

    @Option(help: ArgumentHelp("Draw a picture.", valueName: "file"), completion: .file())
    var png: String?

    func validate() throws {
        guard points.map((1...1_000_000).contains) ?? true else {
            throw ValidationError("--points must be from 1 to 1000000")
        }
        guard !json || png == nil else { throw ValidationError("--json and --png can't be had together") }
    }

    /// The bars of a picture, which are a pixel wide each.
    private static let pictureWidth = 960

    /// Whether there is a file that something else than a picture would be lost with.
    private static func isSomethingElse(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return false }
        let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47]
        let there = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: signature.count)
        return there.map(Array.init) != signature
    }

    func run() async throws {
        if let png, let picture = FileIdentity(png), picture == FileIdentity(file) {
            throw AudioFileError.cannotWrite(path: png, reason: "it is the file that is drawn")
        }
        if let png, WaveformCommand.isSomethingElse(png) {
            throw AudioFileError.cannotWrite(path: png, reason: "it is there already, and no picture")
        }
        let clip = try await AudioClipLoader().load(file)
        let columns = Terminal.hasScreen ? min(Terminal.size.columns, 72) : 72
        let count = points ?? (png == nil ? columns : WaveformCommand.pictureWidth)
        let waveform = Waveform(of: clip.samples, count: count)
        if let png {
            var raster = Raster(
                width: max(count, 16), height: 128, background: Color(red: 17, green: 20, blue: 26))
            raster.draw(
                waveform, x: 0..<raster.width, y: 0..<raster.height, peaks: Color(red: 146, green: 64, blue: 14),
                rms: Color(red: 245, green: 158, blue: 11))
            try raster.write(to: png)
        } else if json {
            let points = waveform.points.map { point in
                JSONValue.object([
                    "rms": .number(Double(point.rms)), "min": .number(Double(point.min)),
                    "max": .number(Double(point.max)),
                ])
            }
            JSONOutput.print(["file": .string(file), "points": .array(points)])
        } else {
            for row in WaveformText.rows(waveform, height: 8) { Terminal.printLine(row) }
        }
    }
}

/// A waveform in block characters.
enum WaveformText {
    /// Rows of text from the top: peaks as `░`, RMS as `█`.
    static func rows(_ waveform: Waveform, height: Int) -> [String] {
        (0..<height).map { row in
            let threshold = (Float(height - row) - 0.5) / Float(height)
            return String(
                waveform.points.map { point -> Character in
                    let peak = max(point.max, -point.min)
                    return point.rms >= threshold ? "█" : peak >= threshold ? "░" : " "
                })
        }
    }
}
