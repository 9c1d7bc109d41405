import BarlineEngine
import BarlineTime

/// What a test begins with.
struct Setup: CustomStringConvertible {
    var rate = 48_000.0
    var trackCount = 4
    var tempo = 120.0
    var metre = Metre(numerator: 4, denominator: 4)
    var grid = Grid.bars(1)
    var tolerance = 0.02
    var startsAtOnce = false
    var clips: [ClipPlan] = []

    var sampleRate: SampleRate { SampleRate(rate) ?? .standard }

    var configuration: EngineConfiguration {
        EngineConfiguration(
            sampleRate: sampleRate, trackCount: trackCount, clipCapacity: 64, voiceCount: 64,
            tempo: Tempo(clamping: tempo),
            timeSignature: TimeSignature(metre.numerator, metre.denominator) ?? .common,
            launchQuantization: grid.quantization, firstLaunch: startsAtOnce ? .immediate : .afterOnePeriod,
            snapTolerance: tolerance)
    }

    var description: String {
        let list = clips.enumerated().map { "  clip \($0): \($1)" }.joined(separator: "\n")
        return "\(rate) Hz, \(tempo) BPM, \(metre), \(grid), tolerance \(tolerance)"
            + "\(startsAtOnce ? ", starts at once" : "")\n\(list)"
    }
}
