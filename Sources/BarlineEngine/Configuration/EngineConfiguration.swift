import BarlineDSP
import BarlineTime

/// The configuration of an engine. All memory that the engine will need is allocated when it is created.
///
/// Of values out of their ranges an engine takes the nearest ones that it can have, of NaN the usual ones.
public struct EngineConfiguration: Sendable {
    /// The sample rate of the timeline until a device changes it.
    public var sampleRate: SampleRate
    /// The number of tracks of the mixer, at least 1.
    public var trackCount: Int
    /// The number of stems that the multitrack can hold, 0 or more.
    public var stemCapacity: Int
    /// The number of output pairs, at least 1; the first is the main one.
    public var busCount: Int
    /// The number of clips that can be loaded at once, at least 1.
    public var clipCapacity: Int
    /// The number of inputs that can be open at once, 0 or more.
    public var inputCapacity: Int
    /// The number of clip voices that can sound at once, including those that fade out, at least 1.
    public var voiceCount: Int
    /// The number of commands that can be pending at once, at least 1.
    public var commandCapacity: Int
    /// The number of events that can wait to be read, at least 1.
    public var eventCapacity: Int
    /// Who calls callbacks and feeds event streams.
    public var eventDelivery: EventDelivery
    /// The number of frames of the main bus kept for a tap (loudness, recording); 0 for no tap.
    public var tapFrames: Int
    /// How many seconds of a playlist can be prefetched, up to ``longestPlaylistSeconds``; 0 for no playlist.
    public var playlistSeconds: Double
    /// The initial tempo.
    public var tempo: Tempo
    /// The initial metre.
    public var timeSignature: TimeSignature
    /// The initial launch quantisation.
    public var launchQuantization: Quantization
    /// The policy for a launch while the transport is stopped: where the transport starts.
    public var firstLaunch: FirstLaunch
    /// How far past a boundary a launch still counts as on it: a fraction of the quantisation period, 0 … 0.5.
    public var snapTolerance: Double
    /// How far the device's clock may deviate from the rendered frames before the timeline is moved to it, in seconds,
    /// 0 or more; infinity for never.
    public var resyncThreshold: Double
    /// The initial settings of the metronome.
    public var metronome: MetronomeSettings
    /// A safety limiter on every bus, as outputs to devices should have; it delays the outputs by
    /// ``Engine/outputLatency``, even while it is turned off. `nil` for none: the output is the mix, without delay.
    public var limiter: LimiterSettings?
    /// How true clips, pads, stems and playlist items are that are played at another rate than their own.
    public var varispeed: VarispeedQuality
    /// The configurations of parts that declare them in their own folders, such as ``padCapacity``.
    var parts = PartConfigurations()

    /// Creates a configuration; see the properties for what the parameters mean.
    public init(
        sampleRate: SampleRate = .standard, trackCount: Int = 64, stemCapacity: Int = 128, busCount: Int = 1,
        clipCapacity: Int = 1024, inputCapacity: Int = 32,
        voiceCount: Int = 256, commandCapacity: Int = 8192, eventCapacity: Int = 16384,
        eventDelivery: EventDelivery = .thread, tapFrames: Int = 0,
        playlistSeconds: Double = 0,
        tempo: Tempo = .standard, timeSignature: TimeSignature = .common, launchQuantization: Quantization = .bar,
        firstLaunch: FirstLaunch = .afterOnePeriod, snapTolerance: Double = 0.02, resyncThreshold: Double = 0.01,
        metronome: MetronomeSettings = MetronomeSettings(), limiter: LimiterSettings? = nil,
        varispeed: VarispeedQuality = .live
    ) {
        self.sampleRate = sampleRate
        self.trackCount = trackCount
        self.stemCapacity = stemCapacity
        self.busCount = busCount
        self.clipCapacity = clipCapacity
        self.inputCapacity = inputCapacity
        self.voiceCount = voiceCount
        self.commandCapacity = commandCapacity
        self.eventCapacity = eventCapacity
        self.eventDelivery = eventDelivery
        self.tapFrames = tapFrames
        self.playlistSeconds = playlistSeconds
        self.tempo = tempo
        self.timeSignature = timeSignature
        self.launchQuantization = launchQuantization
        self.firstLaunch = firstLaunch
        self.snapTolerance = snapTolerance
        self.resyncThreshold = resyncThreshold
        self.metronome = metronome
        self.limiter = limiter
        self.varispeed = varispeed
    }
}

extension EngineConfiguration {
    /// The longest stretch of a playlist that can be prefetched, in seconds: ten minutes, for which some 230 MB are set
    /// aside at 48 kHz.
    public static let longestPlaylistSeconds = 600.0

    /// The configuration with every value in its range.
    var inRange: EngineConfiguration {
        var configuration = self
        configuration.trackCount = max(1, trackCount)
        configuration.busCount = max(1, busCount)
        configuration.voiceCount = max(1, voiceCount)
        configuration.clipCapacity = max(1, clipCapacity)
        configuration.stemCapacity = max(0, stemCapacity)
        configuration.inputCapacity = max(0, inputCapacity)
        configuration.commandCapacity = max(1, commandCapacity)
        configuration.eventCapacity = max(1, eventCapacity)
        configuration.tapFrames = max(0, tapFrames)
        configuration.playlistSeconds =
            playlistSeconds > 0 ? min(playlistSeconds, EngineConfiguration.longestPlaylistSeconds) : 0
        configuration.snapTolerance =
            snapTolerance.isNaN ? EngineConfiguration().snapTolerance : min(max(0, snapTolerance), 0.5)
        switch launchQuantization {
        case .none: break
        case .note(let numerator, let denominator):
            configuration.launchQuantization = .note(numerator: max(1, numerator), denominator: max(1, denominator))
        case .bars(let count): configuration.launchQuantization = .bars(max(1, count))
        }
        configuration.metronome = metronome.inRange
        configuration.limiter = limiter.map(\.inRange)
        return configuration
    }
}

extension MetronomeSettings {
    fileprivate var inRange: MetronomeSettings {
        var settings = self
        let (subdivisions, bars) = (MetronomeSettings.subdivisionRange, MetronomeSettings.countInRange)
        settings.subdivision = min(max(subdivision, subdivisions.lowerBound), subdivisions.upperBound)
        settings.countInBars = min(max(countInBars, bars.lowerBound), bars.upperBound)
        let swings = MetronomeSettings.swingRange
        settings.swing =
            swing.isNaN ? MetronomeSettings.standard.swing : min(max(swing, swings.lowerBound), swings.upperBound)
        return settings
    }
}

extension LimiterSettings {
    fileprivate var inRange: LimiterSettings {
        var settings = self
        let range = LimiterSettings.ceilingRange
        settings.ceiling =
            ceiling.rawValue.isNaN
            ? LimiterSettings().ceiling : Decibels(min(max(ceiling.rawValue, range.lowerBound), range.upperBound))
        return settings
    }
}
