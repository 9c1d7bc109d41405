import BarlineDSP
import Foundation

/// The time-stretch and transposition of a song that is streamed.
package struct SongStretch: Hashable, Sendable {
    /// Source frames a frame that is put out.
    let speed: Double
    /// How much higher it sounds, as a factor of frequencies: source frames to a frame at the pitch that is to be
    /// heard.
    let pitch: Double
    /// By how much formants are moved before the pitch is, as a factor of frequencies: 1 where they follow the pitch.
    let formantRatio: Double
    /// The frames of the file at which attacks begin; `nil` for those that are heard.
    let onsets: [Int]?
    /// The quality in which it is resampled.
    let quality: VarispeedQuality

    /// What `speed` may be.
    package static let speedRange: ClosedRange<Double> = 0.25...4

    /// - Parameters:
    ///   - speed: how much faster it is played, 0.25 … 4.
    ///   - transposition: how many semitones higher it sounds than it was recorded, −24 … 24.
    ///   - keepsPitch: whether the speed leaves the pitch alone.
    ///   - formants: how many semitones higher its formants are, −24 … 24; `nil` where they follow the pitch.
    ///   - onsets: the frames of the file at which attacks begin; `nil` for those that are heard.
    ///   - quality: the quality in which it is resampled.
    init(
        speed: Double = 1, transposition: Double = 0, keepsPitch: Bool = true, formants: Double? = nil,
        onsets: [Int]? = nil, quality: VarispeedQuality = .live
    ) {
        self.speed = speed
        pitch = exp2(transposition / 12) * (keepsPitch ? 1 : speed)
        formantRatio = formants.map { [pitch] in exp2($0 / 12) / pitch } ?? 1
        self.onsets = onsets
        self.quality = quality
    }

    /// Whether the song is played as it is.
    var isNone: Bool { speed == 1 && pitch == 1 && !movesFormants }

    /// Whether its formants are moved; what is a rounding error of the ratio is none.
    var movesFormants: Bool { abs(formantRatio - 1) > 1e-9 }

    /// Frames at the pitch that is to be heard to a frame that is put out.
    var rate: Double { speed / pitch }

    /// The frames that are put out of `count` frames of the source.
    func frames(of count: Int64) -> Int64 { Int64((Double(count) / speed).rounded()) }

    /// The source frame that is heard on `frame`, of those that are put out.
    func sourceFrame(at frame: Int64) -> Int64 { Int64((Double(frame) * speed).rounded(.down)) }
}
