import BarlineDSP
import BarlineTime

/// The time-stretch of a clip, on the audio thread.
struct ClipStretch: BitwiseCopyable, @unchecked Sendable {
    let isOn: Bool
    private let marks: UnsafePointer<StretchMark>
    private let markCount: Int
    private let restartMark: Int
    private let weak: UnsafePointer<Int>?
    private let weakCount: Int
    private let style: StretchStyle
    /// The sample rate at which the samples have the intended pitch.
    private let pitchRate: Double

    init(_ marks: ClipMarks?, style: StretchStyle = StretchStyle(), pitchRate: SampleRate) {
        isOn = marks != nil
        weak = marks?.weak
        weakCount = marks?.weakCount ?? 0
        self.style = style
        self.marks = marks?.marks ?? UnsafePointer(bitPattern: MemoryLayout<StretchMark>.alignment).unsafelyUnwrapped
        markCount = marks?.count ?? 0
        restartMark = marks?.restartMark ?? -1
        self.pitchRate = pitchRate.hertz
    }

    /// The stretch source of a voice of the clip at `sampleRate`.
    @_noLocks func source(_ region: SourceRegion, sampleRate: SampleRate) -> StretchSource {
        StretchSource(
            region: region, marks: marks, markCount: markCount, restartMark: restartMark,
            style: style, pace: pitchRate / sampleRate.hertz, weak: weak, weakCount: weakCount)
    }
}
