import BarlineTime
import Synchronization

/// Decoded audio: one or two channels of 32-bit float samples that never change.
///
/// The memory is allocated outside Swift's arrays, so that the audio thread can read it through plain pointers for as
/// long as the buffer is alive: whoever uses ``left`` and ``right`` keeps it alive meanwhile. ``samples(of:)`` is a
/// copy.
public final class SampleBuffer: @unchecked Sendable {
    /// The left channel, ``frameCount`` samples.
    public let left: UnsafePointer<Float>
    /// The right channel; the same pointer as ``left`` if the audio is mono, or both channels are the same to the bit.
    public let right: UnsafePointer<Float>
    /// The length in frames, at least 1.
    public let frameCount: Int
    /// 1 or 2.
    public let channelCount: Int
    /// The sample rate of the audio.
    public let sampleRate: SampleRate

    /// Who has the frames that are not in memory; `nil` where all are.
    package let partial: (any PartialSamples)?

    private let storage: SampleStorage
    private let derivative = Mutex<(any AnyObject & Sendable)?>(nil)

    /// Copies samples.
    ///
    /// - Parameters:
    ///   - left: the left channel, at least one sample.
    ///   - right: the right channel, as long as `left`; `nil` for mono.
    ///   - sampleRate: the sample rate of the audio.
    /// - Complexity: O(*n*) in the frames.
    public init(left: [Float], right: [Float]? = nil, sampleRate: SampleRate) {
        precondition(!left.isEmpty, "a sample buffer has at least one frame")
        precondition(right == nil || right?.count == left.count, "both channels have one length")
        frameCount = left.count
        channelCount = right == nil ? 1 : 2
        self.sampleRate = sampleRate
        let storage = SampleStorage(frames: left.count, channels: right == nil ? 1 : 2)
        storage.left.update(from: left, count: frameCount)
        if let right { storage.right.update(from: right, count: frameCount) }
        self.storage = storage
        partial = nil
        self.left = UnsafePointer(storage.left)
        self.right = UnsafePointer(storage.right)
    }

    /// Takes over samples without copying them.
    ///
    /// - Parameters:
    ///   - storage: the memory that holds them. It must not be written to afterwards.
    ///   - frameCount: the number of frames written to it, at least 1.
    ///   - sampleRate: the sample rate of the audio.
    ///   - partial: who has the frames that are not in memory; `nil` where all are.
    package init(
        _ storage: SampleStorage, frameCount: Int, sampleRate: SampleRate, partial: (any PartialSamples)? = nil
    ) {
        precondition(
            (1...storage.capacity).contains(frameCount), "a sample buffer has at least one frame, and all were written")
        self.storage = storage
        self.partial = partial
        self.frameCount = frameCount
        channelCount = storage.channelCount
        self.sampleRate = sampleRate
        left = UnsafePointer(storage.left)
        right = UnsafePointer(storage.right)
    }

    /// A copy of a channel: 0 is the left one, 1 the right one, which is the same if the audio is mono.
    ///
    /// - Complexity: O(*n*) in the frames.
    public func samples(of channel: Int) -> [Float] {
        precondition((0...1).contains(channel), "there is a left and a right channel")
        var samples: [Float] = []
        samples.reserveCapacity(frameCount)
        forEachPiece(of: 0..<frameCount) { left, right, count in
            samples += UnsafeBufferPointer(start: channel == 0 ? left : right, count: count)
        }
        return samples
    }

    /// Passes a range of frames on, piece by piece, whether they are in memory or not. What can't be read is silent.
    ///
    /// - Parameters:
    ///   - range: the frames; those that the buffer does not have are left out.
    ///   - frames: the length of all pieces but the last.
    ///   - body: called with the two channels of a piece and its length; they are the same pointer for mono.
    /// - Throws: what `body` throws.
    /// - Complexity: O(*n*) in the frames.
    package func forEachPiece<Failure: Error>(
        of range: Range<Int>, frames: Int = 1 << 16,
        _ body: (UnsafePointer<Float>, UnsafePointer<Float>, Int) throws(Failure) -> Void
    ) throws(Failure) {
        let piece = partial.map { _ in SampleStorage(frames: frames, channels: channelCount) }
        let range = range.clamped(to: 0..<frameCount)
        var next = range.lowerBound
        while next < range.upperBound {
            let count = min(frames, range.upperBound - next)
            if let partial, let piece {
                partial.copy(next..<next + count, left: piece.left, right: piece.right)
                try body(piece.left, piece.right, count)
            } else {
                try body(left + next, right + next, count)
            }
            next += count
        }
    }

    /// The same samples with all frames in memory: itself, or a copy.
    ///
    /// - Complexity: O(*n*) in the frames of a copy.
    package var whole: SampleBuffer {
        guard let partial else { return self }
        let copy = SampleStorage(frames: frameCount, channels: channelCount)
        partial.copy(0..<frameCount, left: copy.left, right: copy.right)
        return SampleBuffer(copy, frameCount: frameCount, sampleRate: sampleRate)
    }

    /// A value derived from the samples that lives as long as they do: computed by the first caller, while others wait
    /// for it.
    package func derived<Value: AnyObject & Sendable>(_ make: () -> Value) -> Value {
        derivative.withLock { kept in
            if let value = kept as? Value { return value }
            let value = make()
            kept = value
            return value
        }
    }
}

/// Who has all frames of a buffer of which only some are in memory.
package protocol PartialSamples: AnyObject, Sendable {
    /// Copies frames, whether they are in memory or not; `right` is `left` for mono. What can't be read is silent.
    func copy(_ frames: Range<Int>, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>)
    /// The largest magnitude in a range of frames, of which those outside whole chunks must be in memory.
    func peak(in frames: Range<Int>) -> Float
    /// Whether ``peak(in:)`` is loud, by a rule that finds all loud that is louder than what it finds loud; it may take
    /// less time, for the first loud part of the range decides.
    func hasPeak(in frames: Range<Int>, where isLoud: (Float) -> Bool) -> Bool
}
