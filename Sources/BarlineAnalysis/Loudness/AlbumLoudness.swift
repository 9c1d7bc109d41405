import BarlineTime

/// Loudness by EBU R 128 of several files together: that of all their sound in a row, of which quiet passages count as
/// little as within one file.
package final class AlbumLoudness {
    /// One for each sample rate of the files.
    private var meters: [SampleRate: LoudnessMeter] = [:]
    /// The highest true peak of a file, in dB relative to full scale.
    package private(set) var truePeak = -Double.infinity

    /// Begins with no file.
    package init() {}

    /// The loudness of all files in LUFS; minus infinity for silence.
    package var integrated: Double { LoudnessMeter.integrated(of: Array(meters.values)) }

    /// Adds sound of a file.
    func add(left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int, at sampleRate: SampleRate) {
        if meters[sampleRate] == nil {
            meters[sampleRate] = LoudnessMeter(sampleRate: sampleRate, measuresTruePeak: false)
        }
        meters[sampleRate]?.add(left: left, right: right, frames: frames)
    }

    /// Adds the true peak of a whole file, in dB relative to full scale.
    func add(truePeak: Double) { self.truePeak = max(self.truePeak, truePeak) }
}
