import BarlineDSP
import BarlineTime

@testable import BarlineEngine

extension PreparedClip {
    /// Prepares a clip for an engine with one voice.
    convenience init(buffer: SampleBuffer, settings: ClipSettings, sampleRate: SampleRate) {
        self.init(buffer: buffer, settings: settings, for: ClipPreparation(sampleRate: sampleRate))
    }
}
