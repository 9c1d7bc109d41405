import BarlineDSP
import BarlineTime

/// A run of source frames of one sample rate, end to end, resampled to the engine's rate.
///
/// Successive items of equal rate form one run: the interpolator does not see where one ends.
struct PlaylistRun {
    /// The sample rate of the source frames.
    let sourceRate: SampleRate
    /// The position at which the run's first frame plays.
    let anchor: Int64

    private let ratio: Double
    private let step: SourcePosition
    private let start: SourcePosition
    private let reach: Int
    /// The number of source frames on either side that an output frame depends on at its own rate: half of 64 taps, or
    /// of the 128 of the best quality, plus rounding.
    private static let reach = 66.0
    /// The least number of source frames dropped at a time, because the others must be moved.
    private static let leastForgotten = 4_096
    private var left: [Float] = []
    private var right: [Float] = []
    private var base: Int64 = 0
    private var appended: Int64 = 0
    private var produced: Int64 = 0

    /// Creates a run whose first frame is `start` source frames into the first frames appended.
    init(
        sourceRate: SampleRate, outputRate: SampleRate, anchor: Int64,
        start: SourcePosition = SourcePosition(rawValue: 0)
    ) {
        self.sourceRate = sourceRate
        self.anchor = anchor
        self.start = start
        ratio = sourceRate.hertz / outputRate.hertz
        step = SourcePosition(ratio)
        let isCopy = step.whole == 1 && step.fraction == 0 && start.fraction == 0
        reach = isCopy ? 0 : min(VarispeedKernel.largestSpan / 2, Int((PlaylistRun.reach * max(1, ratio)).rounded(.up)))
    }

    /// The position of the next frame to read.
    var position: Int64 { anchor + produced }

    /// The position of the next source frame to append, to the nearest frame.
    var boundary: Int64 { anchor + FrameRounding.nearest((Double(appended) - start.frames) / ratio) }

    mutating func append(_ buffer: PlaylistBuffer, gain: Float) {
        if gain == 1 {
            left += buffer.left
            right += buffer.right
        } else {
            left += buffer.left.map { $0 * gain }
            right += buffer.right.map { $0 * gain }
        }
        appended += Int64(buffer.left.count)
        assert(checkInvariants(), "a run keeps what it still needs of what was appended")
    }

    /// Reads all frames that do not depend on frames still to come, or, if none will, everything.
    mutating func read(with reader: borrowing VarispeedReader, isComplete: Bool) -> PlaylistBuffer {
        let last =
            isComplete
            ? FrameRounding.nearest((Double(appended) - start.frames) / ratio)
            : Int64(((Double(appended - Int64(reach)) - start.frames) / ratio).rounded(.down))
        let count = Int(last - produced)
        if count <= 0 { return PlaylistBuffer(left: [], right: []) }
        let position = start.advanced(by: step, times: produced)
        let origin = SourcePosition(rawValue: position.rawValue - Int128(base) << 64)
        let filter = reader.steadyFilter(rate: ratio)
        var outputLeft = [Float](repeating: 0, count: count)
        var outputRight = outputLeft
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return }
                let region = SourceRegion(left: left, right: right, length: self.left.count)
                outputLeft.withUnsafeMutableBufferPointer { outputLeft in
                    outputRight.withUnsafeMutableBufferPointer { outputRight in
                        guard let outputLeft = outputLeft.baseAddress, let outputRight = outputRight.baseAddress
                        else { return }
                        reader.read(
                            region, from: origin, step: step, filter: filter, count: count, left: outputLeft,
                            right: outputRight)
                    }
                }
            }
        }
        produced = last
        forget()
        assert(checkInvariants(), "a run keeps what it still needs of what was appended")
        return PlaylistBuffer(left: outputLeft, right: outputRight)
    }

    /// Whether the invariants hold: what is kept is the end of what was appended, in both channels.
    private func checkInvariants() -> Bool {
        left.count == right.count && base >= 0 && base + Int64(left.count) == appended && produced >= 0
    }

    /// Drops source frames that are not needed any more.
    private mutating func forget() {
        let needed = start.advanced(by: step, times: produced).whole - Int64(VarispeedKernel.largestSpan)
        let count = Int(min(needed - base, Int64(left.count)))
        if count < PlaylistRun.leastForgotten { return }
        left.removeFirst(count)
        right.removeFirst(count)
        base += Int64(count)
    }
}
