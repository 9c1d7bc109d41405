import BarlineDSP
import BarlineTime

/// The sounds of clips at their pitch that are in memory, each found by what it was made of: a clip of which something
/// else is changed, its gain for one, is not resampled again.
enum PitchedClips {
    private struct Key: Hashable {
        let buffer: ObjectIdentifier
        let frames: Range<Int>
        let loops: Bool
        let transposition: Double
        let formants: Double?
        let sampleRate: SampleRate
        let quality: VarispeedQuality
    }

    private struct Weak {
        weak var clip: PitchedClip?
    }

    private static let known = ControlLock([Key: Weak]())

    /// The sound of `source`, `frames` of `buffer`, with the pitch and the formants of `settings`; `nil` if the samples
    /// have them already.
    ///
    /// - Complexity: O(1) while a clip is in memory that has it, else O(*n*) in the frames.
    static func clip(
        _ source: SourceRegion, of buffer: SampleBuffer, frames: Range<Int>, _ settings: ClipSettings,
        for preparation: ClipPreparation
    ) -> PitchedClip? {
        let key = Key(
            buffer: ObjectIdentifier(buffer), frames: frames, loops: settings.loops,
            transposition: settings.transposition, formants: settings.stretch.formants,
            sampleRate: preparation.sampleRate, quality: preparation.quality)
        if let clip = known.withLock({ $0[key]?.clip }) { return clip }
        let clip = PitchedClip(
            source, buffer: buffer, transposition: settings.transposition, formants: settings.stretch.formants,
            sampleRate: preparation.sampleRate, quality: preparation.quality)
        guard let clip else { return nil }
        known.withLock { known in
            for (key, former) in known where former.clip == nil { known[key] = nil }
            known[key] = Weak(clip: clip)
        }
        return clip
    }
}
