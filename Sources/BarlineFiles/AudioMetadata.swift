import BarlineTime
import Foundation

/// The musical metadata of a file: tempo, beats, metre and loop points.
public struct AudioMetadata: Hashable, Sendable {
    /// The tempo in BPM (ACID, Apple loop chunks, or the file's name).
    public var tempo: Double?
    /// The length in quarter notes (ACID and Apple loop chunks).
    public var beats: Int?
    /// The metre (ACID and Apple loop chunks).
    public var timeSignature: TimeSignature?
    /// The loop points (`smpl` and instrument chunks), in frames.
    public var loop: Range<Int>?

    /// Creates empty metadata.
    public init() {}

    /// The tempo in a file's name: a number next to "bpm", as in `funk_97bpm.wav` or `BPM 120.5 pad.flac`.
    package static func tempo(inName name: String) -> Double? {
        let number = #"(?<![\d.])(\d{2,3}(?:\.\d+)?)(?!\.?\d)"#
        for pattern in [number + #"[ _-]*bpm"#, #"bpm[ _-]*"# + number] {
            guard let expression = try? NSRegularExpression(pattern: pattern, options: .caseInsensitive) else {
                continue
            }
            let range = NSRange(name.startIndex..., in: name)
            guard let match = expression.firstMatch(in: name, range: range),
                let found = Range(match.range(at: 1), in: name), let tempo = Double(name[found]),
                Tempo.range.contains(tempo)
            else { continue }
            return tempo
        }
        return nil
    }

    /// The length of `frames` frames in quarter notes; `nil` if unknown.
    ///
    /// Loops are cut on beats, while a tempo in a file is often rounded: a length within a tenth of a beat of a whole
    /// number is rounded to it.
    public func beats(inFrames frames: Int, sampleRate: SampleRate) -> Double? {
        if let beats { return Double(beats) }
        guard let tempo else { return nil }
        let length = Tempo.beats(in: Double(frames) / sampleRate.hertz, at: tempo)
        let whole = length.rounded()
        return whole >= 1 && abs(length - whole) < 0.1 ? whole : length
    }
}
