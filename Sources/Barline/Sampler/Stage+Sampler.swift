import BarlineDSP
import BarlineEngine
import BarlineFiles

extension Stage {
    /// Pads: one-shots, any number of which can sound at once.
    public var sampler: Engine.Sampler { engine.sampler }

    /// Loads a one-shot, to be triggered with ``sampler``: a pad that is triggered again while it sounds overlaps
    /// itself.
    ///
    /// ```swift
    /// let clap = try stage.loadPad("clap.wav")
    /// for beat in 0..<8 { try stage.sampler.trigger(clap, velocity: 0.8, at: Beat(Double(beat) / 2)) }
    /// ```
    ///
    /// - Throws: ``StageError/file(_:)`` or ``StageError/engine(_:)``.
    /// - Complexity: O(*n*) in the frames of the file.
    public func loadPad(_ path: String, settings: PadSettings = PadSettings()) throws(StageError) -> PadHandle {
        let clip: AudioClip
        do throws(AudioFileError) { clip = try AudioClip(path: path) } catch { throw .file(error) }
        do throws(EngineError) {
            return try sampler.load(clip.samples, settings: settings)
        } catch {
            throw .engine(error)
        }
    }
}
