import BarlineDSP
import BarlineEngine

/// A send of a strip to another output, as a session's file has it.
public struct SendDocument: Hashable, Sendable {
    /// The name of the output pair.
    public var output: String
    /// The level in dB; minus infinity is silence.
    public var level = 0.0
    /// Whether it takes the strip before its fader and pan.
    public var preFader = false
    /// Keys that this version does not know.
    package var rest: [String: JSONValue] = [:]

    /// A send after the fader, at 0 dB.
    public init(output: String) { self.output = output }
}

extension SendDocument: KeyedDocument {
    static var standard: SendDocument { SendDocument(output: "") }

    static let keys: [DocumentKey<SendDocument>] = [
        .required("output", \.output, .words, "any other name makes another output pair"),
        .standard("level", \.level, .gain),
        .standard("preFader", \.preFader, .flag, "whether it takes the strip before its fader and pan"),
    ]
}

extension StripSettings {
    /// Sets the send to an output. One that is silent and post-fader then, as a send that does not exist, is removed.
    mutating func setSend(to output: String, level: Double, preFader: Bool?) {
        let index = sends.firstIndex { $0.output == output } ?? sends.count
        if index == sends.count { sends.append(SendDocument(output: output)) }
        sends[index].level = level
        if let preFader { sends[index].preFader = preFader }
        let send = sends[index]
        if send.level == -.infinity, !send.preFader, send.rest.isEmpty { sends.remove(at: index) }
    }
}

extension Engine.Mixer {
    /// Sets those sends of a channel that differ from what the strip had `before`, or from what the engine has if that
    /// is not known. `outputs` are the names of the buses.
    func setSends(
        _ after: StripSettings, before: StripSettings?, outputs: [String], of channel: Channel
    ) throws(EngineError) {
        if let before, before.sends == after.sends { return }
        for (index, output) in outputs.enumerated() {
            let send = self[channel].send(to: BusIndex(index))
            let wanted = after.sends.first { $0.output == output }
            let former = before?.sends.first { $0.output == output }
            let (level, isPreFader) = (wanted?.level ?? -.infinity, wanted?.preFader ?? false)
            let formerLevel = before == nil ? send.level.rawValue : former?.level ?? -.infinity
            let wasPreFader = before == nil ? send.isPreFader : former?.preFader ?? false
            if isPreFader != wasPreFader { try send.setPreFader(isPreFader) }
            if level != formerLevel { try send.setLevel(Decibels(level)) }
        }
    }
}
