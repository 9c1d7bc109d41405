import BarlineDSP
import BarlineTime

/// The configuration of an engine. All memory that it will need is allocated when it is created.
public struct EngineConfiguration: Sendable {
    /// The rate of its timeline until a device changes it.
    public var sampleRate: SampleRate
    /// Tracks of the mixer, at least 1.
    public var trackCount: Int
    /// Stems that the multitrack can hold.
    public var stemCapacity: Int
    /// Output pairs, at least 1; the first is the main one.
    public var busCount: Int
    /// Clips that can be loaded at once.
    public var clipCapacity: Int
    /// Pads that can be loaded at once.
    public var padCapacity: Int
    /// Inputs that can be open at once.
    public var inputCapacity: Int
    /// Clips that can sound at once, those that fade out included.
    public var voiceCount: Int
    /// Commands that can wait at once.
    public var commandCapacity: Int
    /// Events that can wait to be read.
    public var eventCapacity: Int
    /// Who calls callbacks and feeds sequences of events.
    public var eventDelivery: EventDelivery
    /// Frames of the main bus kept for whoever taps it (loudness, recording); 0 for no tap.
    public var tapFrames: Int
    /// How many seconds of a playlist fit ahead of what is heard; 0 for no playlist.
    public var playlistSeconds: Double
    /// The tempo at the start.
    public var tempo: Tempo
    /// The metre at the start.
    public var timeSignature: TimeSignature
    /// The launch quantisation at the start.
    public var launchQuantization: Quantization
    /// The policy for a launch while the transport is stopped: where the transport starts.
    public var firstLaunch: FirstLaunch
    /// How far past a boundary a launch still counts as on it: a fraction of the quantisation period, 0 … 0.5.
    public var snapTolerance: Double
    /// How far the device's clock may be from what was played before the timeline moves there, in seconds, 0 or more;
    /// infinite for never.
    public var resyncThreshold: Double
    /// What the metronome plays at the start.
    public var metronome: MetronomeSettings
    /// A safety limiter on every bus, as outputs to devices should have; it holds the outputs back by
    /// ``Engine/outputLatency``, also where it is turned off. `nil` for none: what is played is the mix, at once.
    public var limiter: LimiterSettings?

    /// Creates a configuration; see the properties for what the parameters mean.
    public init(
        sampleRate: SampleRate = .standard, trackCount: Int = 64, stemCapacity: Int = 128, busCount: Int = 1,
        clipCapacity: Int = 1024, padCapacity: Int = 64, inputCapacity: Int = 32,
        voiceCount: Int = 256, commandCapacity: Int = 8192, eventCapacity: Int = 16384,
        eventDelivery: EventDelivery = .thread, tapFrames: Int = 0,
        playlistSeconds: Double = 0,
        tempo: Tempo = .standard, timeSignature: TimeSignature = .common, launchQuantization: Quantization = .bar,
        firstLaunch: FirstLaunch = .afterOnePeriod, snapTolerance: Double = 0.02, resyncThreshold: Double = 0.01,
        metronome: MetronomeSettings = MetronomeSettings(), limiter: LimiterSettings? = nil
    ) {
        self.sampleRate = sampleRate
        self.trackCount = trackCount
        self.stemCapacity = stemCapacity
        self.busCount = busCount
        self.clipCapacity = clipCapacity
        self.padCapacity = padCapacity
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
    }

    /// Channels of the mixer: the tracks, the metronome, the playlist, the pads, the stems.
    public var channelCount: Int { channelLayout.count }

    /// The channel of a strip, which is not checked to be there.
    package func index(of channel: Channel) -> Int {
        switch channel {
        case .track(let track): track.rawValue
        case .stem(let stem): channelLayout.firstStem + stem.rawValue
        case .metronome: channelLayout.metronome
        case .playlist: channelLayout.playlist
        case .pads: channelLayout.pads
        }
    }

    /// The channel of the first stem.
    package var firstStemChannel: Int { channelLayout.firstStem }

    var channelLayout: ChannelLayout { ChannelLayout(trackCount: trackCount, stemCapacity: stemCapacity) }
}
