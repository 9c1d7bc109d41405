import BarlineDSP
import BarlineFiles
import BarlineTime
import Foundation

/// A cache of analyses in a folder, under the hash of the content, so that nothing is analysed twice.
///
/// What a file's name claims is part of the question, and so of the name under which the answer is kept; so is the
/// program, by the size and the time of its file: what another version of it heard is not taken for what this one
/// would.
package struct AnalysisCache: Sendable {
    private let files: ContentCache
    private let program: String

    /// A cache in a folder, which is made when something is kept.
    ///
    /// - Parameters:
    ///   - folder: its path.
    ///   - limit: the most bytes that are kept.
    package init(folder: String, limit: Int = 64 << 20) {
        files = ContentCache(folder: folder, ending: "analysis", limit: limit)
        program = AnalysisCache.runningProgram
    }

    /// The user's own: `analyses` in `$XDG_CACHE_HOME/barline`, of at most 64 MB.
    package static var standard: AnalysisCache {
        AnalysisCache(folder: UserFolders.cache.appendingPathComponent("analyses").path)
    }

    /// What is known of a file: what is kept, else it is listened to and that is kept.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - progress: is called with the share that is done, 0 … 1; what it throws ends the analysis.
    /// - Returns: what is known of the file.
    /// - Throws: `AudioFileError`, or what `progress` throws.
    package func analysis(ofFile path: String, progress: (Double) throws -> Void = { _ in }) throws -> FileAnalysis {
        guard let hash = try? ContentHash.ofFile(path) else { return try FileAnalysis(path: path, progress: progress) }
        let name = name(hash, TempoHint.inName(of: path))
        if let data = files.data(name), let kept = try? JSONDecoder().decode(StoredAnalysis.self, from: data),
            let analysis = kept.analysis(path: path)
        {
            return analysis
        }
        let analysis = try FileAnalysis(path: path, progress: progress)
        keep(StoredAnalysis(analysis), name)
        return analysis
    }

    /// The analysis of frames of samples: the cached one, or the result of `listen`, which is cached.
    ///
    /// - Parameters:
    ///   - samples: the samples.
    ///   - range: the frames of them that count.
    ///   - hints: passed to `listen`.
    ///   - listen: listens to them.
    /// - Returns: their tempo.
    /// - Complexity: O(*n*) in the frames.
    package func estimate(
        _ samples: SampleBuffer, range: Range<Int>, hints: [TempoHint], listen: () throws -> TempoEstimate
    ) rethrows -> TempoEstimate {
        let name = name(AnalysisCache.hash(samples, range), hints)
        if let data = files.data(name), let kept = try? JSONDecoder().decode(StoredEstimate.self, from: data),
            let estimate = kept.estimate
        {
            return estimate
        }
        let estimate = try listen()
        keep(StoredEstimate(estimate), name)
        return estimate
    }

    /// The attacks in frames of samples: the cached ones, or the result of `listen`, which is cached.
    ///
    /// - Parameters:
    ///   - samples: the samples.
    ///   - range: the frames of them that count.
    ///   - loops: whether what is before the first frame is the end of the range.
    ///   - listen: listens to them; gives frames of `samples` within `range`.
    /// - Returns: the frames of `samples` at which attacks begin, in their order.
    /// - Complexity: O(*n*) in the frames.
    package func attacks(
        _ samples: SampleBuffer, range: Range<Int>, loops: Bool, listen: () -> [Int]
    ) -> [Int] {
        // They are kept from the range's first frame on: another place in a file is no other sound.
        let name = name(AnalysisCache.hash(samples, range), []) + (loops ? "-loop-attacks" : "-attacks")
        if let data = files.data(name), let kept = try? JSONDecoder().decode([Int].self, from: data),
            kept.allSatisfy({ (0..<range.count).contains($0) })
        {
            return kept.map { $0 + range.lowerBound }
        }
        let attacks = listen()
        keep(attacks.map { $0 - range.lowerBound }, name)
        return attacks
    }

    private func keep(_ value: some Encodable, _ name: String) {
        if let data = try? JSONEncoder().encode(value) { files.keep(data, name) }
    }

    private func name(_ content: String, _ hints: [TempoHint]) -> String {
        var hash = FNV1a(program)
        for hint in hints {
            hash.add(hint.source.rawValue.utf8)
            hash.add(hint.bpm?.bitPattern ?? .max)
        }
        return content + String(hash.value, radix: 16)
    }

    private static func hash(_ samples: SampleBuffer, _ range: Range<Int>) -> String {
        var hash = TwinHash()
        for channel in 0..<samples.channelCount {
            samples.forEachPiece(of: range) { left, right, count in
                let piece = channel == 0 ? left : right
                for frame in 0..<count { hash.add(UInt64(piece[frame].bitPattern)) }
            }
        }
        hash.first.add(samples.sampleRate.hertz.bitPattern)
        hash.second.add(UInt64(samples.channelCount))
        return "s" + String(hash.first.value, radix: 16) + String(hash.second.value, radix: 16)
    }

    private static let runningProgram: String = {
        let path = Bundle.main.executablePath ?? CommandLine.arguments[0]
        let values = try? FileManager.default.attributesOfItem(atPath: path)
        let date = values?[.modificationDate] as? Date
        return "\(values?[.size] ?? 0) \(date?.timeIntervalSince1970 ?? 0)"
    }()
}

/// An estimate in the form in which it is kept.
private struct StoredEstimate: Codable {
    let bpm: Double?
    let confidence: Double
    let beats: [Double]
    let downbeats: [Double]
    let beatsPerBar: Int?
    let loopBeats: Double?
    let alternatives: [[Double]]
    let source: String
    let absence: String?

    init(_ estimate: TempoEstimate) {
        bpm = estimate.bpm
        confidence = estimate.confidence
        beats = estimate.beats
        downbeats = estimate.downbeats
        beatsPerBar = estimate.beatsPerBar
        loopBeats = estimate.loopBeats
        alternatives = estimate.alternatives.map { [$0.bpm, $0.confidence] }
        source = estimate.source.rawValue
        absence = estimate.absence?.rawValue
    }

    /// What was kept; `nil` where it is none of this version's.
    var estimate: TempoEstimate? {
        guard let source = TempoEstimate.Source(rawValue: source), alternatives.allSatisfy({ $0.count == 2 }),
            absence == nil || absence.flatMap(TempoEstimate.Absence.init) != nil
        else { return nil }
        return TempoEstimate(
            bpm: bpm, confidence: confidence, beats: beats, downbeats: downbeats, beatsPerBar: beatsPerBar,
            loopBeats: loopBeats,
            alternatives: alternatives.map { TempoEstimate.Alternative(bpm: $0[0], confidence: $0[1]) },
            source: source, absence: absence.flatMap(TempoEstimate.Absence.init))
    }
}

/// An analysis in the form in which it is kept.
private struct StoredAnalysis: Codable {
    let frames: Int
    let sampleRate: Double
    let channelCount: Int
    let tempo: StoredEstimate
    /// `nil` for minus infinity.
    let integratedLoudness: Double?
    let truePeak: Double?

    init(_ analysis: FileAnalysis) {
        frames = analysis.frames
        sampleRate = analysis.sampleRate.hertz
        channelCount = analysis.channelCount
        tempo = StoredEstimate(analysis.tempo)
        integratedLoudness = analysis.integratedLoudness.isFinite ? analysis.integratedLoudness : nil
        truePeak = analysis.truePeak.isFinite ? analysis.truePeak : nil
    }

    /// What was kept of a file that is at `path` now; `nil` where it is none of this version's.
    func analysis(path: String) -> FileAnalysis? {
        guard let rate = SampleRate(sampleRate), let tempo = tempo.estimate else { return nil }
        return FileAnalysis(
            path: path, frames: frames, sampleRate: rate, channelCount: channelCount, tempo: tempo,
            integratedLoudness: integratedLoudness ?? -.infinity, truePeak: truePeak ?? -.infinity)
    }
}
