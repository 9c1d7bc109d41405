import ArgumentParser
import BarlineDSP
import BarlineFiles
import BarlineSession

/// The option of every command whose sound leaves for a device or a file.
struct LimiterOptions: ParsableArguments {
    /// On or off.
    enum Switch: String, CaseIterable, ExpressibleByArgument {
        case on
        case off
    }

    @Option(
        help: """
            Hold peaks down to the session's ceiling, -1 dBTP: on or off. Default: on for devices, FLAC, s24 and s16, off for \
            f32.
            """)
    var limiter: Switch?

    /// The limiter for a file; `nil` for none.
    func settings(_ document: SessionDocument, path: String, format: SampleFormat?) -> LimiterSettings? {
        let isOfIntegers = AudioFileWriter.format(path: path, format) != .float32
        let isOn = limiter.map { $0 == .on } ?? (isOfIntegers && document.limiter.isOn)
        return isOn ? LimiterSettings(ceiling: document.limiter.ceiling) : nil
    }
}
