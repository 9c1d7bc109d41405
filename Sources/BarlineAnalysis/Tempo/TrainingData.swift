import BarlineDSP
import BarlineFiles
import Foundation

/// What the classifiers are trained on: written by the benchmark's tool, read by its training script.
package enum TrainingData {
    /// The candidates of a file and their numbers, as one line of JSON.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - bpm: its true tempo.
    ///   - beats: its length in beats where it is a loop.
    ///   - network: the weights of another beat network than the one that is used.
    /// - Returns: the line.
    /// - Throws: why the file can't be read.
    package static func line(path: String, bpm: Double, beats: Double?, network: Data?) throws -> String {
        let clip = try AudioClip(path: path)
        let rate = clip.samples.sampleRate.hertz
        let sound = ShortSound(
            mono(clip.samples), sampleRate: rate, network: network.map(BeatNetwork.init) ?? .standard)
        var rows: [String] = []
        // Weights that are about to be trained anew may be of other numbers.
        var fits = true
        let activity = sound.looped.activity
        for tempo in TempoCandidates.tempos(in: sound.windowed, activity: activity) {
            let features = TempoFeatures(
                bpm: tempo, profile: sound.windowed, onsets: sound.onsets, activity: activity)
            rows.append(row(kind: "free", beats: 0, features))
            fits = fits && features.values.count == Classifier.tempos.width
        }
        var cut: [Double] = []
        if sound.seconds <= 60 {
            for beats in TempoCandidates.beats(inSeconds: sound.seconds) {
                var features = TempoFeatures(
                    bpm: 60 * beats / sound.seconds, profile: sound.circular, onsets: sound.onsets,
                    activity: activity)
                features.addLoop(beats: beats, profile: sound.circular, free: sound.windowed)
                rows.append(row(kind: "loop", beats: beats, features))
                fits = fits && features.values.count == Classifier.beatCounts.width
            }
        }
        if fits, sound.seconds <= 60 {
            let free = TempoDistribution.ofTempos(sound.windowed, onsets: sound.onsets, activity: activity)
            cut =
                LoopCut(
                    sound, times: OnsetTimes(sound.looped), free: free, beats: TempoDistribution.ofBeats(sound)
                ).values
        }
        let cutText = cut.map { String(format: "%.5g", $0) }.joined(separator: ",")
        return #"{"file":"\#(path)","candidates":[\#(rows.joined(separator: ","))],"cut":[\#(cutText)],"#
            + #""music":\#(fits ? music(sound) : "[]"),"#
            + grid(sound, bpm: bpm, loopBeats: beats) + "}"
    }

    /// What the beat network sees of a file: rows of 16-bit floats, little-endian.
    ///
    /// - Parameter path: the file.
    /// - Returns: the rows one after the other.
    /// - Throws: why the file can't be read.
    package static func rows(path: String) throws -> Data {
        let clip = try AudioClip(path: path)
        let sound = ShortSound(mono(clip.samples), sampleRate: clip.samples.sampleRate.hertz)
        var data = Data(capacity: 2 * sound.rows.values.count)
        for value in sound.rows.values {
            withUnsafeBytes(of: Float16(value).bitPattern.littleEndian) { data.append(contentsOf: $0) }
        }
        return data
    }

    private static func mono(_ buffer: SampleBuffer) -> [Float] {
        (0..<buffer.frameCount).map { 0.5 * (buffer.left[$0] + buffer.right[$0]) }
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
