import BarlineDSP
import BarlineEngine

/// The settings of a strip of the mixer.
struct StripSettings: Hashable, Sendable {
    /// The fader in dB.
    var gain = 0.0
    /// The balance, −1 … 1.
    var pan = 0.0
    var mute = false
    var solo = false
    /// The name of the output pair.
    var output = TrackDocument.mainOutput
    /// What goes to other outputs too.
    var sends: [SendDocument] = []
}

/// A part of the document that has a strip of the mixer.
protocol StripDocument {
    var gain: Double { get set }
    var pan: Double { get set }
    var mute: Bool { get set }
    var solo: Bool { get set }
    var output: String { get set }
    var sends: [SendDocument] { get set }
}

extension StripDocument {
    var strip: StripSettings {
        get { StripSettings(gain: gain, pan: pan, mute: mute, solo: solo, output: output, sends: sends) }
        set {
            (gain, pan, mute, solo) = (newValue.gain, newValue.pan, newValue.mute, newValue.solo)
            (output, sends) = (newValue.output, newValue.sends)
        }
    }
}

extension TrackDocument: StripDocument {}

extension StemDocument: StripDocument {}

extension SessionDocument {
    /// What a strip is set to; `nil` of one that is not there, or that has no such settings. Setting one that is not
    /// there does nothing.
    subscript(strip strip: StripName) -> StripSettings? {
        get {
            switch strip {
            case .track(let id): tracks.first { $0.id == id }?.strip
            case .stem(let id): stems.first { $0.id == id }?.strip
            case .part(let part): part.place.settings.map { self[keyPath: $0] }
            case .master, .clip: nil
            }
        }
        set {
            guard let newValue else { return }
            switch strip {
            case .track(let id):
                if let index = tracks.firstIndex(where: { $0.id == id }) { tracks[index].strip = newValue }
            case .stem(let id):
                if let index = stems.firstIndex(where: { $0.id == id }) { stems[index].strip = newValue }
            case .part(let part):
                if let settings = part.place.settings { self[keyPath: settings] = newValue }
            case .master, .clip: break
            }
        }
    }
}

extension Engine.Mixer {
    /// Sets what differs of a strip; all of it where nothing was set `before`. `outputs` are the names of the buses.
    func set(
        _ after: StripSettings, _ bus: BusIndex, before: StripSettings?, _ formerBus: BusIndex?, of channel: Channel,
        outputs: [String]
    ) throws(EngineError) {
        if bus != formerBus { try self[channel].setBus(bus) }
        if after.gain != before?.gain { try self[channel].setGain(Decibels(after.gain)) }
        if after.pan != before?.pan { try self[channel].setPan(after.pan) }
        if after.mute != before?.mute { try self[channel].setMute(after.mute) }
        if after.solo != before?.solo { try self[channel].setSolo(after.solo) }
        try setSends(after, before: before, outputs: outputs, of: channel)
    }
}
