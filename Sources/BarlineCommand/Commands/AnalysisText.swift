import BarlineAnalysis
import BarlineSession
import Foundation

/// An analysis for people and for programs.
enum AnalysisText {
    /// The keys that the formats' description promises, and why there is no tempo.
    static func object(_ analysis: FileAnalysis) -> [String: JSONValue] {
        let tempo = analysis.tempo
        var object: [String: JSONValue] = [
            "file": .string(analysis.path),
            "duration": .number(analysis.duration),
            "sampleRate": .number(analysis.sampleRate.hertz),
            "channels": .number(Double(analysis.channelCount)),
            "bpm": number(tempo.bpm),
            "confidence": .number(rounded(tempo.confidence, 1000)),
            "beats": times(tempo.beats),
            "downbeats": times(tempo.downbeats),
            "beatsPerBar": number(tempo.beatsPerBar.map(Double.init)),
            "loopBeats": number(tempo.loopBeats),
            "alternatives": .array(
                tempo.alternatives.map {
                    .object(["bpm": .number($0.bpm), "confidence": .number(rounded($0.confidence, 1000))])
                }),
            "tempoCurve": .array(
                tempo.tempoCurve.map {
                    .object(["time": .number(rounded($0.time, 1e6)), "bpm": .number(rounded($0.bpm, 1000))])
                }),
            "loudness": .object([
                "integrated": finite(analysis.integratedLoudness), "truePeak": finite(analysis.truePeak),
            ]),
            "source": .string(tempo.source.rawValue),
        ]
        if let absence = tempo.absence { object["reason"] = .string(absence.rawValue) }
        return object
    }

    /// A few lines to read.
    static func lines(_ analysis: FileAnalysis) -> [String] {
        let tempo = analysis.tempo
        let sound =
            "\(text(analysis.duration, 3)) s, \(Int(analysis.sampleRate.hertz)) Hz, \(analysis.channelCount) ch,"
            + " \(level(analysis.integratedLoudness)) LUFS, peak \(level(analysis.truePeak)) dBTP"
        guard let bpm = tempo.bpm else {
            return ["\(analysis.path): no tempo: \(tempo.absence?.rawValue ?? "unsure")", "    \(sound)"]
                + alternatives(tempo, "by its length")
        }
        var summary = "\(analysis.path): \(text(bpm, 2)) BPM, \(percent(tempo.confidence)) sure"
        if let beats = tempo.loopBeats { summary += ", a loop of \(text(beats, 1)) beats" }
        if let bar = tempo.beatsPerBar { summary += ", \(bar) to the bar" }
        if tempo.source != .audio { summary += ", as its \(tempo.source.rawValue) says" }
        let curve = tempo.tempoCurve.map(\.bpm)
        if let lowest = curve.min(), let highest = curve.max() {
            summary += ", from \(text(lowest, 1)) to \(text(highest, 1)) BPM"
        }
        var lines = [summary, "    \(sound)"]
        if let first = tempo.loopOffset {
            lines.append("    cut off the beat: its first bar begins at \(text(first, 3)) s")
        }
        return lines + alternatives(tempo, "or")
    }

    private static func alternatives(_ tempo: TempoEstimate, _ words: String) -> [String] {
        if tempo.alternatives.isEmpty { return [] }
        let others = tempo.alternatives.prefix(3).map { "\(text($0.bpm, 2)) (\(percent($0.confidence)))" }
        return ["    \(words) \(others.joined(separator: ", "))"]
    }

    private static func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }

    private static func finite(_ value: Double) -> JSONValue { value.isFinite ? .number(rounded(value, 100)) : .null }

    private static func times(_ times: [Double]) -> JSONValue { .array(times.map { .number(rounded($0, 1e6)) }) }

    private static func rounded(_ value: Double, _ parts: Double) -> Double { (value * parts).rounded() / parts }

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    private static func level(_ value: Double) -> String { value.isFinite ? text(value, 1) : "−∞" }

    private static func text(_ value: Double, _ places: Int) -> String {
        let scale = pow(10, Double(places))
        let rounded = (value * scale).rounded() / scale
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
