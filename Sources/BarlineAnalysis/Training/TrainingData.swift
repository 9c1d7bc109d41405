import BarlineTime
import BarlineDSP
import BarlineFiles
import Foundation

/// The training data of the classifiers: written by the benchmark's tool, read by its training script.
package enum TrainingData {
    /// The candidates of a file and their numbers, and those of its grid, as one line of JSON.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - bpm: its true tempo.
    ///   - beats: its length in beats where it is a loop.
    ///   - networks: the weights of other beat networks than those that are used.
    /// - Returns: the line.
    /// - Throws: why the file can't be read.
    package static func candidates(path: String, bpm: Double, beats: Double?, networks: Data?) throws -> String {
        let (_, sound) = try sound(path: path, networks: ensemble(networks))
        var rows: [String] = []
        let activity = sound.looped.activity
        for tempo in TempoCandidates.tempos(in: sound.windowed, activity: activity) {
            let features = TempoFeatures(
                bpm: tempo, profile: sound.windowed, onsets: sound.onsets, activity: activity)
            rows.append(row(kind: "free", beats: 0, features))
        }
        if sound.seconds <= TempoAnalyzer.loopLimit {
            for beats in TempoCandidates.beats(inSeconds: sound.seconds) {
                var features = TempoFeatures(
                    bpm: Tempo.beatsPerMinute(of: beats, in: sound.seconds), profile: sound.circular,
                    onsets: sound.onsets,
                    activity: activity)
                features.addLoop(beats: beats, profile: sound.circular, free: sound.windowed)
                rows.append(row(kind: "loop", beats: beats, features))
            }
        }
        return #"{"file":"\#(path)","candidates":[\#(rows.joined(separator: ","))],"#
            + grid(sound, bpm: bpm, loopBeats: beats) + "}"
    }

    /// What is answered of a file by the classifiers that are used, and the numbers that weigh it, as one line of JSON.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - networks: the weights of other beat networks than those that are used.
    /// - Returns: the line.
    /// - Throws: why the file can't be read.
    package static func answers(path: String, networks: Data?) throws -> String {
        let networks = ensemble(networks)
        let (samples, sound) = try sound(path: path, networks: networks)
        let isShort = sound.seconds <= TempoAnalyzer.loopLimit
        return #"{"file":"\#(path)","cut":\#(isShort ? cut(sound) : "[]"),"#
            + #""start":\#(isShort ? start(sound) : "[]"),"music":\#(music(sound)),"#
            + #""answer":\#(answer(samples, networks: networks))}"#
    }

    /// What the beat networks see of a file: rows of 16-bit floats, little-endian.
    ///
    /// - Parameter path: the file.
    /// - Returns: the rows one after the other.
    /// - Throws: why the file can't be read.
    package static func rows(path: String) throws -> Data {
        let (_, sound) = try sound(path: path, networks: .standard)
        var data = Data(capacity: 2 * sound.rows.values.count)
        for value in sound.rows.values {
            withUnsafeBytes(of: Float16(value).bitPattern.littleEndian) { data.append(contentsOf: $0) }
        }
        return data
    }

    private static func ensemble(_ weights: Data?) -> BeatEnsemble { weights.map(BeatEnsemble.init) ?? .standard }

    private static func sound(path: String, networks: BeatEnsemble) throws -> (SampleBuffer, ShortSound) {
        let samples = try AudioClip(path: path).samples
        return (samples, ShortSound(mono(samples), sampleRate: samples.sampleRate.hertz, networks: networks))
    }

    private static func mono(_ buffer: SampleBuffer) -> [Float] {
        (0..<buffer.frameCount).map { 0.5 * (buffer.left[$0] + buffer.right[$0]) }
    }

    /// What is answered: the tempo, 0 where there is none, and how likely it is before calibration.
    private static func answer(_ samples: SampleBuffer, networks: BeatEnsemble) -> String {
        let analyzer = TempoAnalyzer(sampleRate: samples.sampleRate, networks: networks, calibration: .none)
        let piece = 65_536
        for start in stride(from: 0, to: samples.frameCount, by: piece) {
            let range = start..<min(samples.frameCount, start + piece)
            analyzer.add(left: range.map { samples.left[$0] }, right: range.map { samples.right[$0] })
        }
        let estimate = analyzer.finish()
        return list([Float(estimate.bpm ?? 0), Float(estimate.confidence)])
    }

    /// What is asked about whether a sound is cut on its beats.
    private static func cut(_ sound: ShortSound) -> String {
        let free = TempoDistribution.ofTempos(
            sound.windowed, onsets: sound.onsets, activity: sound.looped.activity)
        let counted = TempoDistribution.ofBeats(sound)
        return list(
            LoopCut(sound, times: OnsetTimes(sound.looped), free: free, beats: counted).values.map(Float.init))
    }

    /// What is asked about whether the first beat is on the first frame; nothing where the sound is not taken as a
    /// loop.
    private static func start(_ sound: ShortSound) -> String {
        let times = OnsetTimes(sound.looped)
        guard times.times.count >= 2 else { return "[]" }
        let (tempos, cut) = sound.tempos(hints: [], times: times)
        guard cut >= 0.5, let beats = tempos.candidates.first?.beats.flatMap(Int.init(exactly:)) else { return "[]" }
        return list(LoopPhase(sound, times: times, beats: beats).values.map(Float.init))
    }

    /// What is asked about whether there is a tempo at all.
    private static func music(_ sound: ShortSound) -> String {
        let likely = sound.tempos(hints: [], times: OnsetTimes(sound.looped)).tempos.candidates.first
        guard let likely else { return "[]" }
        let evidence = MusicEvidence(
            sound.looped, profile: sound.windowed,
            circular: sound.seconds <= TempoAnalyzer.loopLimit ? sound.circular : sound.windowed, bpm: likely.bpm,
            confidence: likely.probability)
        return list(evidence.values.map(Float.init))
    }

    /// The beats at the true tempo, and what is asked about their phase and about bars.
    private static func grid(_ sound: ShortSound, bpm: Double, loopBeats: Double?) -> String {
        var beats: [Double]
        if let loopBeats {
            beats = (0..<Int(loopBeats)).map { Double($0) * sound.seconds / loopBeats }
        } else {
            beats = BeatTracker(sound.looped, bpm: bpm).track().beats
        }
        guard beats.count >= 3 else { return #""beats":[],"rotations":[],"bars":[]"# }
        let features = BeatFeatures(sound.looped, beats: beats)
        let rotations = (0..<4).map { list(features.values(rotation: $0)) }
        let bars = BarFeatures(features, loopBeats: loopBeats)
        let candidates = BarCandidate.all.map {
            #"{"length":\#($0.beatsPerBar),"first":\#($0.first),"values":\#(list(bars.values($0)))}"#
        }
        return #""beats":\#(list(beats.map(Float.init))),"rotations":[\#(rotations.joined(separator: ","))],"#
            + #""bars":[\#(candidates.joined(separator: ","))]"#
    }

    private static func list(_ values: [Float]) -> String {
        "[" + values.map { String(format: "%.5g", $0) }.joined(separator: ",") + "]"
    }

    private static func row(kind: String, beats: Double, _ features: TempoFeatures) -> String {
        let values = features.values.map { String(format: "%.5g", $0) }.joined(separator: ",")
        return #"{"kind":"\#(kind)","bpm":\#(features.bpm),"beats":\#(beats),"values":[\#(values)]}"#
    }
}
