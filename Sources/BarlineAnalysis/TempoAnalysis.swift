import BarlineDSP

/// Finds tempo and beats of a sound.
public enum TempoAnalysis {
    /// The tempo, beats and bars of samples in memory, computed on the calling thread.
    ///
    /// - Parameters:
    ///   - buffer: the samples.
    ///   - range: the frames that count; the whole where it is `nil`.
    ///   - hints: tempos that others claim.
    /// - Returns: the estimate; without a tempo it says why.
    public static func estimate(
        _ buffer: SampleBuffer, range: Range<Int>? = nil, hints: [TempoHint] = []
    ) -> TempoEstimate {
        let analyzer = TempoAnalyzer(sampleRate: buffer.sampleRate)
        let range = range ?? 0..<buffer.frameCount
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 16) {
            let count = min(1 << 16, range.upperBound - start)
            let left = Array(UnsafeBufferPointer(start: buffer.left + start, count: count))
            let right =
                buffer.channelCount == 1
                ? [] : Array(UnsafeBufferPointer(start: buffer.right + start, count: count))
            analyzer.add(left: left, right: right)
        }
        return analyzer.finish(hints: hints)
    }
}
