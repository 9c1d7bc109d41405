import BarlineFiles
import BarlineTime
import Foundation

/// The analysis of a file: tempo, loudness and true peak.
public struct FileAnalysis: Sendable {
    /// The file's path.
    public let path: String
    /// The number of frames read.
    public let frames: Int
    /// The file's sample rate.
    public let sampleRate: SampleRate
    /// The file's channels, 1 … 8.
    public let channelCount: Int
    /// Tempo, beats and bars.
    public let tempo: TempoEstimate
    /// Integrated loudness in LUFS; minus infinity for silence.
    public let integratedLoudness: Double
    /// The true peak in dB relative to full scale; minus infinity for silence.
    public let truePeak: Double

    /// The length in seconds.
    public var duration: Double { Double(frames) / sampleRate.hertz }

    /// Analyses a file in one pass, on the calling thread. Memory does not grow with its length.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - progress: called with the fraction done, 0 … 1; an error that it throws cancels the analysis.
    /// - Throws: `AudioFileError`, or what `progress` throws.
    /// - Complexity: O(*n*) in the frames of the file.
    public init(path: String, progress: (Double) throws -> Void = { _ in }) throws {
        let folded = try FoldedReader(path: path)
        let reader = folded.reader
        let analyzer = TempoAnalyzer(sampleRate: reader.sampleRate)
        let meter = LoudnessMeter(sampleRate: reader.sampleRate, channelCount: reader.channelCount == 1 ? 1 : 2)
        var left: [Float] = []
        var right: [Float] = []
        while try folded.read(into: &left, &right) {
            meter?.add(left: left, right: right.isEmpty ? left : right, frames: left.count)
            analyzer.add(left: left, right: right)
            left.removeAll(keepingCapacity: true)
            right.removeAll(keepingCapacity: true)
            try progress(min(1, Double(folded.position) / Double(max(1, reader.frameCount))))
        }
        self.path = path
        frames = folded.position
        sampleRate = reader.sampleRate
        channelCount = reader.channelCount
        tempo = analyzer.finish(
            hints: FileAnalysis.hints(
                path: path, metadata: reader.metadata, seconds: Double(folded.position) / reader.sampleRate.hertz))
        integratedLoudness = meter?.integrated ?? -.infinity
        truePeak = meter?.truePeak ?? -.infinity
    }

    /// An analysis that was made before.
    init(
        path: String, frames: Int, sampleRate: SampleRate, channelCount: Int, tempo: TempoEstimate,
        integratedLoudness: Double, truePeak: Double
    ) {
        self.path = path
        self.frames = frames
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.tempo = tempo
        self.integratedLoudness = integratedLoudness
        self.truePeak = truePeak
    }

    /// What the file and its name claim.
    static func hints(path: String, metadata: AudioMetadata, seconds: Double) -> [TempoHint] {
        var hints: [TempoHint] = []
        if let beats = metadata.beats, seconds > 0 {
            hints.append(TempoHint(bpm: Tempo.beatsPerMinute(of: Double(beats), in: seconds), source: .metadata))
        } else if let tempo = metadata.tempo {
            hints.append(TempoHint(bpm: tempo, source: .metadata))
        }
        return hints + TempoHint.inName(of: path)
    }
}
