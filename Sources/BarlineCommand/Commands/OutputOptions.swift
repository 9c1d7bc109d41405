import ArgumentParser
import BarlineFiles
import BarlineTime

/// The options of every command that writes audio.
struct AudioFileOptions: ParsableArguments {
    @Option(
        name: .customLong("sample-rate"), parsing: .unconditional,
        help: ArgumentHelp("Sample rate of the file; default: 48000, of a recording its own.", valueName: "hertz"))
    private var chosenSampleRate: Double?

    @Option(help: "Sample format: f32, s24 or s16; 24 and 16 bit are dithered. Default: f32, in FLAC s24.")
    var format: SampleFormat?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frames rendered at a time; of no effect on the samples.", valueName: "frames"))
    var blockSize: Int = 1024

    func validate() throws {
        guard SampleRate(sampleRate) != nil, sampleRate == sampleRate.rounded() else {
            throw ValidationError("--sample-rate must be a whole number from 8000 to 192000")
        }
        guard (1...65_536).contains(blockSize) else { throw ValidationError("--block-size must be from 1 to 65536") }
    }

    /// The sample rate in Hz.
    var sampleRate: Double { chosenSampleRate ?? SampleRate.standard.hertz }

    /// Makes `rate` the one that is used where none was asked for.
    mutating func useByDefault(_ rate: SampleRate) { chosenSampleRate = chosenSampleRate ?? rate.hertz }

    /// The sample rate, which `validate()` has checked.
    var rate: SampleRate { SampleRate(sampleRate) ?? .standard }
}

extension SampleFormat: ExpressibleByArgument {}
