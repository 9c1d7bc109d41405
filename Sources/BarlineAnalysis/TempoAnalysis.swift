import BarlineDSP

/// Estimates the tempo and the beats of samples in memory.
public enum TempoAnalysis {
    /// Estimates tempo, beats and bars on the calling thread.
    ///
    /// - Parameters:
    ///   - buffer: the samples.
    ///   - range: the frames to analyse, of those that the buffer has; `nil` for all.
    ///   - hints: tempi stated elsewhere.
    /// - Returns: the estimate; without a tempo it has a reason.
    /// - Complexity: O(*n*) in the frames.
    public static func estimate(
        _ buffer: SampleBuffer, range: Range<Int>? = nil, hints: [TempoHint] = []
    ) -> TempoEstimate {
        analyze(buffer, range ?? 0..<buffer.frameCount, hints) { _ in }
    }

    /// The same, with progress.
    ///
    /// - Parameters:
    ///   - buffer: the samples.
    ///   - range: the frames to analyse, of those that the buffer has; `nil` for all.
    ///   - hints: tempi stated elsewhere.
    ///   - progress: called with the fraction done, 0 … 1; an error that it throws cancels the analysis.
    /// - Returns: the estimate; without a tempo it has a reason.
    /// - Throws: what `progress` throws.
    /// - Complexity: O(*n*) in the frames.
    public static func estimate(
        _ buffer: SampleBuffer, range: Range<Int>? = nil, hints: [TempoHint] = [], progress: (Double) throws -> Void
    ) throws -> TempoEstimate {
        try analyze(buffer, range ?? 0..<buffer.frameCount, hints, progress)
    }

    private static func analyze(
        _ buffer: SampleBuffer, _ range: Range<Int>, _ hints: [TempoHint], _ progress: (Double) throws -> Void
    ) rethrows -> TempoEstimate {
        let range = range.clamped(to: 0..<buffer.frameCount)
        let analyzer = TempoAnalyzer(sampleRate: buffer.sampleRate)
        var done = 0
        try buffer.forEachPiece(of: range) { left, right, count in
            analyzer.add(
                left: Array(UnsafeBufferPointer(start: left, count: count)),
                right: buffer.channelCount == 1 ? [] : Array(UnsafeBufferPointer(start: right, count: count)))
            done += count
            try progress(Double(done) / Double(range.count))
        }
        return analyzer.finish(hints: hints)
    }
}
