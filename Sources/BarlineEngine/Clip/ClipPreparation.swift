import BarlineDSP
import BarlineTime

/// What clips are prepared for.
struct ClipPreparation {
    /// The engine's sample rate.
    let sampleRate: SampleRate
    /// The quality of what is resampled once.
    var quality = VarispeedQuality.live
    /// The number of voices that can play one clip at a time.
    var voiceCount = 1
}
