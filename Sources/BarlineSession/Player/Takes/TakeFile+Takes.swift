import BarlineDSP
import BarlineEngine
import BarlineFiles

extension TakeFile {
    private static let piece = 48_000

    /// Appends what was recorded since.
    func append(_ handle: TakeHandle) throws(AudioFileError) {
        var isMore = true
        while isMore { isMore = try handle.withSamples(from: Int(frames), appendPiece).get() }
    }

    /// Rewrites what leads up to a layer: the loop below it is mixed into that when the layer is complete, and it
    /// may have been written before.
    func replaceLead(of handle: TakeHandle) throws(AudioFileError) {
        guard handle.recipe != nil, let rate = handle.start?.sampleRate else { return }
        let count = LayerRecipe.margin(at: rate)
        let first = handle.margin - count
        let result: Result<Void, AudioFileError> = handle.withSamples(from: first) { left, right in
            do throws(AudioFileError) {
                try replace(
                    from: Int64(first), left: UnsafeBufferPointer(rebasing: left.prefix(count)),
                    right: UnsafeBufferPointer(rebasing: right.prefix(count)))
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Appends what was played since during a layer.
    func append(playedDuring handle: TakeHandle) throws(AudioFileError) {
        var isMore = true
        while isMore { isMore = try handle.withPlayed(from: Int(frames), appendPiece).get() }
    }

    /// Appends samples.
    func append(_ samples: SampleBuffer) throws(AudioFileError) {
        for first in stride(from: 0, to: samples.frameCount, by: TakeFile.piece) {
            let count = min(TakeFile.piece, samples.frameCount - first)
            try write(
                left: UnsafeBufferPointer(start: samples.left + first, count: count),
                right: UnsafeBufferPointer(start: samples.right + first, count: count))
        }
    }

    /// - Returns: whether there may be more.
    private func appendPiece(
        _ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>
    ) -> Result<Bool, AudioFileError> {
        let count = min(TakeFile.piece, left.count)
        if count == 0 { return .success(false) }
        do throws(AudioFileError) {
            try write(
                left: UnsafeBufferPointer(rebasing: left[..<count]),
                right: UnsafeBufferPointer(rebasing: right[..<count]))
            return .success(true)
        } catch {
            return .failure(error)
        }
    }
}
