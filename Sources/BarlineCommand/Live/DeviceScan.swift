import BarlineFiles
import BarlineOutputs
import BarlineSession
import Foundation

/// The list of outputs, as another process sees it that has no device open.
enum DeviceScan {
    /// Runs `barline devices`; `nil` where that can't be done.
    static func listings() -> [OutputListing]? {
        guard let program = Bundle.main.executablePath else { return nil }
        let output = Pipe()
        let scan = try? ChildProcess(
            program, ["devices", "--json"], output: output.fileHandleForWriting.fileDescriptor)
        try? output.fileHandleForWriting.close()
        guard let scan else { return nil }
        // A sound library that hangs is not waited for.
        let ending = DispatchWorkItem { scan.signal(SIGTERM) }
        DispatchQueue.global().asyncAfter(deadline: .now() + longestScan, execute: ending)
        let text = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        let status = scan.wait()
        ending.cancel()
        guard status == 0 else { return nil }
        return text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            (try? JSONDecoder().decode(Line.self, from: line))?.listing
        }
    }

    private static let longestScan = 10.0

    /// A line of the command's output.
    private struct Line: Decodable {
        let backend: String
        let name: String
        let sampleRate: Double
        let channels: Int?
        let latency: Double
        let `default`: Bool

        var listing: OutputListing? {
            OutputSelection.Backend(rawValue: backend).map { backend in
                OutputListing(
                    backend: backend, name: name, deviceName: backend == .portaudio ? name : nil,
                    sampleRate: sampleRate, channelCount: channels, latency: latency, isDefault: `default`)
            }
        }
    }
}
