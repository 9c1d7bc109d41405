import ArgumentParser
import BarlineEngine
import BarlineSession
import BarlineTime

/// The options of the metronome: its pattern and its sound.
struct ClickOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("Tempo, 20 … 999.", valueName: "bpm"))
    var bpm: Double = 120

    @Option(help: ArgumentHelp("Metre.", valueName: "metre"))
    var timeSignature: TimeSignature = .common

    @Option(help: ArgumentHelp("Accents: X accent, x beat, . silence. Default: the first pulse of the bar."))
    var pattern: AccentPattern?

    @Option(parsing: .unconditional, help: ArgumentHelp("Clicks a pulse: 1, 2, 3 or 4.", valueName: "count"))
    var subdivision: Int = MetronomeSettings.standard.subdivision

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where the second of two subdivisions is: 50 … 75.", valueName: "per cent"))
    var swing: Double = 100 * MetronomeSettings.standard.swing

    @Option(parsing: .unconditional, help: ArgumentHelp("Bars counted in before beat 0.", valueName: "bars"))
    var countIn: Int = MetronomeSettings.standard.countInBars

    @Option(help: ArgumentHelp("The click: sine, woodblock, noise or an audio file.", valueName: "sound"))
    var sound: String = "sine"

    @Option(parsing: .unconditional, help: ArgumentHelp("Frequency of accents.", valueName: "hertz"))
    var accentFrequency: Double = ClickSounds.standard.accentFrequency

    @Option(parsing: .unconditional, help: ArgumentHelp("Frequency of beats.", valueName: "hertz"))
    var beatFrequency: Double = ClickSounds.standard.beatFrequency

    @Option(parsing: .unconditional, help: ArgumentHelp("Gain.", valueName: "dB"))
    var gain: Double = 0

    func validate() throws {
        guard bpm > 0, bpm.isFinite else { throw ValidationError("--bpm must be above 0") }
        guard MetronomeSettings.subdivisionRange.contains(subdivision) else {
            throw ValidationError("--subdivision must be from 1 to 4")
        }
        guard (50...75).contains(swing) else { throw ValidationError("--swing must be from 50 to 75") }
        guard MetronomeSettings.countInRange.contains(countIn) else {
            throw ValidationError("--count-in must be from 0 to 16")
        }
        for (name, frequency) in [("accent", accentFrequency), ("beat", beatFrequency)]
        where !ClickSounds.frequencyRange.contains(frequency) {
            throw ValidationError("--\(name)-frequency must be from 20 to 20000")
        }
        guard gain <= 60, !gain.isNaN else { throw ValidationError("--gain must be at most 60 dB") }
    }

    /// A session that is a metronome and nothing else.
    var document: SessionDocument {
        var document = SessionDocument()
        document.name = "Metronome"
        document.tempo = bpm
        document.timeSignature = timeSignature
        document.firstLaunch = .immediate
        document.metronome.isEnabled = true
        document.metronome.gain = gain
        document.metronome.pattern = pattern ?? .downbeat
        document.metronome.subdivision = subdivision
        document.metronome.swing = swing
        document.metronome.countIn = countIn
        document.metronome.accentFrequency = accentFrequency
        document.metronome.beatFrequency = beatFrequency
        if let sound = MetronomeDocument.Sound(rawValue: sound) {
            document.metronome.sound = sound
        } else {
            document.metronome.file = sound
        }
        return document
    }
}

/// A tempo that moves a few bars at a time.
struct TrainerOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("Move the tempo to this one.", valueName: "bpm"))
    var toBpm: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("By so much at a time; default: 5.", valueName: "bpm"))
    var step: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("After so many bars; default: 4.", valueName: "bars"))
    var every: Int?

    func validate() throws {
        if let toBpm, Tempo(toBpm) == nil { throw ValidationError("--to-bpm must be from 20 to 999") }
        if let step, !(0.001...979).contains(step) { throw ValidationError("--step must be from 0.001 to 979") }
        if let every, !(1...1_000_000).contains(every) {
            throw ValidationError("--every must be from 1 to 1000000")
        }
        if toBpm == nil, step != nil { throw ValidationError("--step needs --to-bpm") }
        if toBpm == nil, every != nil { throw ValidationError("--every needs --to-bpm") }
    }

    /// The trainer that the options ask for, from `bpm` on.
    func trainer(from bpm: Double) -> SpeedTrainer? {
        toBpm.map {
            SpeedTrainer(from: Tempo(clamping: bpm).beatsPerMinute, to: $0, step: step ?? 5, every: every ?? 4)
        }
    }
}

extension TimeSignature: ExpressibleByArgument {
    /// Reads `4/4`.
    public init?(argument: String) { self.init(argument) }
}

extension AccentPattern: ExpressibleByArgument {
    /// Reads `X.x.`.
    public init?(argument: String) { self.init(argument) }
}
