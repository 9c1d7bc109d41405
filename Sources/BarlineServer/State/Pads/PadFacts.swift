import BarlineFiles
import BarlineSession

/// The state of pads for clients, beside the document, by identifier.
struct PadFacts: PartFacts {
    /// What changes with the samples of a file, by the pads that were looked at last.
    private var versions: [String: (audio: AudioClip, version: String)] = [:]

    /// The pads as JSON; the samples are looked at where they are others than the last time.
    mutating func json(_ player: SessionPlayer) -> JSONValue {
        let pads = player.pads
        versions = versions.filter { pads[$0.key] != nil }
        return .object(Dictionary(pads.map { ($0, json(of: $1, id: $0)) }, uniquingKeysWith: { $1 }))
    }

    private mutating func json(of pad: PadBinding, id: String) -> JSONValue {
        let samples = pad.audio?.samples
        return [
            "frames": .number(Double(samples?.frameCount ?? 0)), "sampleRate": .number(samples?.sampleRate.hertz ?? 0),
            "version": .text(pad.audio.map { version(of: $0, id: id) }),
            "problem": .text(pad.problem.map { "\($0)" }), "message": .text(pad.problem?.words),
        ]
    }

    private mutating func version(of audio: AudioClip, id: String) -> String {
        if let known = versions[id], known.audio.samples === audio.samples, known.audio.path == audio.path {
            return known.version
        }
        let version = AnalysisStore.version(audio)
        versions[id] = (audio, version)
        return version
    }
}
