import BarlineDSP
import BarlineTime
import CRealtime

/// A clip's samples at the pitch at which they play, and with the formants that it has then: resampled once, off the
/// audio thread, at the rate that transposes them, so that stretching costs the same at every pitch and sample rate.
final class PitchedClip: @unchecked Sendable {
    let region: SourceRegion
    /// Frames of the recording per frame of the region.
    let scale: Double
    private let samples: SampleBuffer
    /// The end of a loop as it would be without the seam, which the samples have.
    private let ownTail: SampleBuffer?
    /// What it was made of. It is kept, so that no other recording is ever taken for it.
    private let source: SampleBuffer

    /// How much of the audio before a region is kept for lead-ins, in seconds.
    private static let leadSeconds = ClipSettings.fadeRange.upperBound + 1

    /// The frames before the seam that its filter reaches.
    private static let tailReach = 64

    /// The distance of a ratio from 1 at which it is 1 but for rounding errors.
    private static let ratioTolerance = 1e-12

    /// Resamples `source`, whose samples are those of `buffer`; `nil` if they are at that pitch already. `formants` is
    /// the transposition of its formants, if they don't follow the pitch.
    init?(
        _ source: SourceRegion, buffer: SampleBuffer, transposition: Double, formants: Double? = nil,
        sampleRate: SampleRate, quality: VarispeedQuality = .live
    ) {
        let ratio = buffer.sampleRate.hertz / sampleRate.hertz * rt_exp2(transposition / 12)
        let formantRatio = rt_exp2(((formants ?? transposition) - transposition) / 12)
        let movesFormants = abs(formantRatio - 1) >= PitchedClip.ratioTolerance
        if abs(ratio - 1) < PitchedClip.ratioTolerance, !movesFormants { return nil }
        // A pass of a loop is a whole number of frames, for which the pitch is inaudibly adjusted.
        let length = max(1, Int((Double(source.length) / ratio).rounded()))
        let scale = Double(source.length) / Double(length)
        self.scale = scale
        let limit = Int(PitchedClip.leadSeconds * sampleRate.hertz)
        let before = source.loops ? 0 : min(limit, Int(Double(source.framesBefore) / scale))
        let after = source.loops ? 0 : Int(Double(source.framesAfter) / scale)
        let count = before + length + after
        var left = [Float](repeating: 0, count: count)
        var right = left
        let reader = VarispeedReader(quality: quality)
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return }
                reader.read(
                    source, from: SourcePosition(-Double(before) * scale), step: SourcePosition(scale),
                    filter: reader.steadyFilter(rate: scale), count: count, left: left, right: right)
            }
        }
        ownTail =
            movesFormants ? nil : PitchedClip.ownTail(source, length: length, reader, buffer.sampleRate)
        if movesFormants {
            FormantShift(ratio: formantRatio, sampleRate: sampleRate)
                .apply(left: &left, right: &right, loops: source.loops)
        }
        self.source = buffer
        samples = SampleBuffer(
            left: left, right: buffer.channelCount == 1 || left == right ? nil : right, sampleRate: buffer.sampleRate)
        var region = SourceRegion(
            left: samples.left + before, right: samples.right + before, length: length, framesBefore: before,
            framesAfter: after, loops: source.loops, seamLeft: samples.left, seamRight: samples.right, seamLength: 0)
        region.ownTail = ownTail.map(SourceRegion.OwnTail.init)
        self.region = region
    }

    /// The last frames of a loop of `length` frames, resampled without its seam; `nil` if it has none.
    private static func ownTail(
        _ source: SourceRegion, length: Int, _ reader: borrowing VarispeedReader, _ rate: SampleRate
    ) -> SampleBuffer? {
        if !source.loops || source.seamLength == 0 { return nil }
        let scale = Double(source.length) / Double(length)
        let count = min(length, Int((Double(source.seamLength) / scale).rounded(.up)) + tailReach)
        var left = [Float](repeating: 0, count: count)
        var right = left
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return }
                reader.read(
                    source.bare, from: SourcePosition(Double(length - count) * scale), step: SourcePosition(scale),
                    filter: reader.steadyFilter(rate: scale), count: count, left: left, right: right)
            }
        }
        return SampleBuffer(left: left, right: left == right ? nil : right, sampleRate: rate)
    }
}
