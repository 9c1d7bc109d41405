import BarlineDSP
import BarlineTime

/// The latest values of everything that only the control side changes, so that properties read back.
struct ControlSettings {
    var strips: [StripSettings]
    var busGains: [Decibels]
    var stemsGain = Decibels.unity
    var limiter: LimiterSettings?
    var metronome: MetronomeSettings
    var quantization: Quantization
    var snapTolerance: Double
    var firstLaunch: FirstLaunch
    /// A tempo that may not have taken effect yet.
    var tempo: PendingTempo?

    init(_ configuration: EngineConfiguration) {
        strips = Array(repeating: StripSettings(), count: configuration.channelCount)
        busGains = Array(repeating: .unity, count: configuration.busCount)
        limiter = configuration.limiter
        metronome = configuration.metronome
        quantization = configuration.launchQuantization
        snapTolerance = configuration.snapTolerance
        firstLaunch = configuration.firstLaunch
    }
}

/// The latest values of a channel's properties.
struct StripSettings {
    var gain = Decibels.unity
    var pan = 0.0
    var isMuted = false
    var isSoloed = false
    var bus = BusIndex.main
    /// The sends that were set.
    var sends: [BusIndex: SendSettings] = [:]
}

/// The latest values of a send's properties.
struct SendSettings {
    var level = Decibels.silence
    var isPreFader = false
}

/// A requested tempo, and the last state published before the request.
struct PendingTempo {
    let tempo: Tempo
    private let publication: UInt64

    init(_ tempo: Tempo, since publication: UInt64) {
        self.tempo = tempo
        self.publication = publication
    }

    /// Whether the state may still be that of a block which began before the tempo was requested.
    func isAhead(of current: UInt64) -> Bool { current < publication + 2 }
}
