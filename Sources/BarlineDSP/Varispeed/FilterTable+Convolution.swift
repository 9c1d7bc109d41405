extension FilterTable {
    /// The weighted sum of `taps` frames that begin at `left` and `right`, for the position `fraction` · 2⁻⁶⁴ frame
    /// beyond the middle one.
    @_noLocks @inlinable @inline(__always)
    func stereo(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, fraction: UInt64) -> StereoFrame {
        let row = weights + Int(fraction >> (64 - phaseBits)) * taps
        let next = row + taps
        let between = SIMD8<Float>(repeating: Float((fraction << phaseBits) >> 40) * 0x1p-24)
        var sumLeft = SIMD8<Float>(repeating: 0)
        var sumRight = SIMD8<Float>(repeating: 0)
        var tap = 0
        while tap < taps {
            let near = UnsafeRawPointer(row + tap).loadUnaligned(as: SIMD8<Float>.self)
            let far = UnsafeRawPointer(next + tap).loadUnaligned(as: SIMD8<Float>.self)
            let weight = near + between * (far - near)
            sumLeft += weight * UnsafeRawPointer(left + tap).loadUnaligned(as: SIMD8<Float>.self)
            sumRight += weight * UnsafeRawPointer(right + tap).loadUnaligned(as: SIMD8<Float>.self)
            tap += 8
        }
        return StereoFrame(left: sum(sumLeft), right: sum(sumRight))
    }

    /// The same for one channel.
    @_noLocks @inlinable @inline(__always)
    func mono(_ samples: UnsafePointer<Float>, fraction: UInt64) -> Float {
        let row = weights + Int(fraction >> (64 - phaseBits)) * taps
        let next = row + taps
        let between = SIMD8<Float>(repeating: Float((fraction << phaseBits) >> 40) * 0x1p-24)
        var total = SIMD8<Float>(repeating: 0)
        var tap = 0
        while tap < taps {
            let near = UnsafeRawPointer(row + tap).loadUnaligned(as: SIMD8<Float>.self)
            let far = UnsafeRawPointer(next + tap).loadUnaligned(as: SIMD8<Float>.self)
            total +=
                (near + between * (far - near)) * UnsafeRawPointer(samples + tap).loadUnaligned(as: SIMD8<Float>.self)
            tap += 8
        }
        return sum(total)
    }

    @_noLocks @inlinable @inline(__always)
    func sum(_ lanes: SIMD8<Float>) -> Float {
        ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
    }
}
