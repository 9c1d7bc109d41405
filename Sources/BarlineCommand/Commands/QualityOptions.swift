import ArgumentParser
import BarlineDSP

/// The option of commands that write files of what plays at another rate than its own.
struct QualityOptions: ParsableArguments {
    @Option(
        help: """
            How true what is played at another rate than its own is: live (as it is heard, with noise 100 dB below \
            a tone) or best (140 dB; slower).
            """)
    var quality: VarispeedQuality = .live

    /// Refuses a quality that nothing would have: what is played to a device always has that of live playing.
    func validate(output: String?) throws {
        if output == nil, quality != .live { throw ValidationError("--quality needs --output") }
    }
}

extension VarispeedQuality: ExpressibleByArgument {}
