import BarlineAnalysis
import BarlineEngine
import BarlineTime

/// The analysis of stems that play together: the tempo of the song that they are, and where its bars begin.
package struct StemAnalysis: Sendable {
    /// What is heard, in seconds from the stems' position 0.
    package let estimate: TempoEstimate
    /// The song's one tempo in BPM; `nil` where there is none, or it moves.
    package let bpm: Double?
    /// The position of a bar line, in seconds; `nil` where none is heard.
    package let barLine: Double?

    /// Listens to the sum of those stems that have the first one's sample rate, on the calling thread; memory does not
    /// grow with the sound.
    ///
    /// - Parameters:
    ///   - stems: the stems.
    ///   - progress: is called often; what it throws ends it.
    /// - Throws: what reading throws, or `progress`.
    package init(_ stems: [Stem], progress: () throws -> Void = {}) throws {
        let rate = stems.first { $0.source.frameCount > 0 }?.source.sampleRate ?? .standard
        var voices = try stems.filter { $0.source.sampleRate == rate }.map(StemVoice.init)
        let analyzer = TempoAnalyzer(sampleRate: rate)
        var hasMore = true
        while hasMore {
            try progress()
            var left = [Float](repeating: 0, count: StemVoice.chunk)
            var right = left
            hasMore = false
            for index in voices.indices where try voices[index].add(to: &left, &right) { hasMore = true }
            if hasMore { analyzer.add(left: left, right: right) }
        }
        estimate = analyzer.finish()
        let grid = StemAnalysis.grid(of: estimate)
        bpm = grid?.bpm
        barLine = grid?.barLine
    }

    /// The straight line through the beats, and the bars on it.
    static func grid(of estimate: TempoEstimate) -> (bpm: Double, barLine: Double?)? {
        guard let detected = estimate.bpm, estimate.tempoCurve.isEmpty else { return nil }
        guard estimate.beats.count >= 8, let first = estimate.beats.first, let last = estimate.beats.last else {
            return (detected, estimate.downbeats.first)
        }
        var number = 0.0
        var before = first
        let beats = estimate.beats.map { time in
            number += Tempo.beats(in: time - before, at: detected).rounded()
            before = time
            return (number: number, time: time)
        }
        let count = Double(beats.count)
        let middle = beats.reduce(0) { $0 + $1.number } / count
        let centre = beats.reduce(0) { $0 + $1.time } / count
        let spread = beats.reduce(0) { $0 + ($1.number - middle) * ($1.number - middle) }
        let product = beats.reduce(0) { $0 + ($1.number - middle) * ($1.time - centre) }
        guard product > 0 else { return (detected, estimate.downbeats.first) }
        var bpm = Tempo.beatsPerMinute(of: spread, in: product)
        // Songs are made at whole tempos, unless what is heard speaks against it.
        let drift = abs(bpm.rounded() - bpm) / bpm * (last - first)
        if drift < StemAnalysis.largestDrift { bpm = bpm.rounded() }
        guard let line = estimate.downbeats.first else { return (bpm, nil) }
        let bar = Tempo.seconds(of: Double(estimate.beatsPerBar ?? 4), at: bpm)
        let offsets = estimate.downbeats.map { $0 - line - (($0 - line) / bar).rounded() * bar }.sorted()
        return (bpm, line + offsets[offsets.count / 2])
    }

    /// How far, in seconds, a whole tempo may be from the beats at the song's end.
    private static let largestDrift = 0.02
}

/// One stem, read from position 0 on.
private struct StemVoice {
    static let chunk = 16_384

    private let reader: any StemReader
    /// Frames of silence before the file begins.
    private var silence: Int64
    private var hasEnded = false

    init(_ stem: Stem) throws {
        reader = try stem.source.open()
        silence = max(0, -stem.offset)
        if stem.offset > 0 { try reader.seek(to: stem.offset) }
    }

    /// Adds the next piece; `false` where there is nothing more.
    mutating func add(to left: inout [Float], _ right: inout [Float]) throws -> Bool {
        if hasEnded { return false }
        let start = Int(min(silence, Int64(StemVoice.chunk)))
        silence -= Int64(start)
        var own = [Float](repeating: 0, count: 2 * StemVoice.chunk)
        var done = start
        while done < StemVoice.chunk {
            let count = try own.withUnsafeMutableBufferPointer { samples in
                guard let base = samples.baseAddress else { return 0 }
                return try reader.read(
                    left: base + done, right: base + StemVoice.chunk + done, count: StemVoice.chunk - done)
            }
            if count == 0 {
                hasEnded = true
                break
            }
            done += count
        }
        for frame in start..<max(start, done) {
            left[frame] += own[frame]
            right[frame] += own[StemVoice.chunk + frame]
        }
        return done > 0
    }
}
