/// The last frames that came into a limiter, in one piece each channel.
@usableFromInline
struct LimiterLine: BitwiseCopyable, @unchecked Sendable {
    @usableFromInline let left: UnsafeMutablePointer<Float>
    @usableFromInline let right: UnsafeMutablePointer<Float>
    /// Frames that are kept.
    @usableFromInline let reach: Int
    @usableFromInline let capacity: Int
    /// Where the next frame goes.
    @usableFromInline var end: Int

    /// A line that keeps the last `reach` frames. It is moved to its front when its end is reached, which is seldom.
    init(reach: Int) {
        self.reach = reach
        capacity = reach + 8 * Limiter.pieceFrames
        left = .allocate(capacity: capacity + TruePeakFilter.slack)
        right = .allocate(capacity: capacity + TruePeakFilter.slack)
        left.initialize(repeating: 0, count: capacity + TruePeakFilter.slack)
        right.initialize(repeating: 0, count: capacity + TruePeakFilter.slack)
        end = reach
    }

    func deallocate() {
        left.deallocate()
        right.deallocate()
    }

    /// As if silence had come in.
    @_noLocks @inlinable mutating func reset() {
        for index in 0..<reach {
            left[index] = 0
            right[index] = 0
        }
        end = reach
    }

    /// The last `count` frames, `frames` frames before.
    @_noLocks @inlinable func left(delayed frames: Int, _ count: Int) -> UnsafeMutablePointer<Float> {
        left + (end - count - frames)
    }

    /// The same of the right channel.
    @_noLocks @inlinable func right(delayed frames: Int, _ count: Int) -> UnsafeMutablePointer<Float> {
        right + (end - count - frames)
    }

    @_noLocks @inlinable func copy(
        to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, delayed frames: Int, _ count: Int
    ) {
        let delayedLeft = self.left(delayed: frames, count)
        let delayedRight = self.right(delayed: frames, count)
        for index in 0..<count {
            left[index] = delayedLeft[index]
            right[index] = delayedRight[index]
        }
    }

    /// Takes frames in and returns the largest magnitude among them. What is no finite number comes in as silence.
    @_noLocks @inlinable mutating func append(
        left source: UnsafePointer<Float>, right sourceRight: UnsafePointer<Float>, _ count: Int
    ) -> Float {
        if end + count > capacity {
            for index in 0..<reach {
                left[index] = left[end - reach + index]
                right[index] = right[end - reach + index]
            }
            end = reach
        }
        let high = LimiterLine.copy(source, to: left + end, count)
        let highRight = LimiterLine.copy(sourceRight, to: right + end, count)
        end += count
        return high > highRight ? high : highRight
    }

    @_noLocks @inlinable static func copy(
        _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, _ count: Int
    ) -> Float {
        let largest = SIMD8<Float>(repeating: .greatestFiniteMagnitude)
        var highs = SIMD8<Float>(repeating: 0)
        var index = 0
        while index + 8 <= count {
            let values = UnsafeRawPointer(source + index).loadUnaligned(as: SIMD8<Float>.self)
            let magnitudes = values.replacing(with: -values, where: values .< 0)
            let isFinite = magnitudes .<= largest
            highs.replace(with: magnitudes, where: isFinite .& (magnitudes .> highs))
            UnsafeMutableRawPointer(target + index).storeBytes(
                of: SIMD8<Float>(repeating: 0).replacing(with: values, where: isFinite), as: SIMD8<Float>.self)
            index += 8
        }
        var high: Float = 0
        for lane in 0..<8 where highs[lane] > high { high = highs[lane] }
        while index < count {
            let magnitude = source[index] < 0 ? -source[index] : source[index]
            let isFinite = magnitude <= .greatestFiniteMagnitude
            target[index] = isFinite ? source[index] : 0
            if isFinite, magnitude > high { high = magnitude }
            index += 1
        }
        return high
    }

    /// How many of the last `count` frames' samples are over full scale.
    @_noLocks @inlinable func overCount(ofLast count: Int) -> Int {
        var overs = 0
        for index in end - count..<end {
            if left[index] > 1 || left[index] < -1 { overs += 1 }
            if right[index] > 1 || right[index] < -1 { overs += 1 }
        }
        return overs
    }
}
