import CRealtime

/// A signal for measuring, which is a function of the frame: an input has it without a device.
package struct TestSignal: Hashable, Sendable, BitwiseCopyable {
    /// The form of a signal.
    @usableFromInline package enum Form: Hashable, Sendable, BitwiseCopyable {
        case silence
        /// A sine that begins with a zero, upwards; its frequency in hertz.
        case sine(hertz: Double)
        /// White noise of uniform distribution, which is the same each time.
        case noise
        /// An impulse of one frame, from the first frame on; how many there are in a minute.
        case click(perMinute: Double)
    }

    /// Its form.
    @usableFromInline package let form: Form
    /// The amplitude of its peaks: 1 at full scale.
    @usableFromInline package let peak: Float

    package init(_ form: Form, peak: Float = 1) {
        self.form = form
        self.peak = peak
    }

    /// The sample of a frame, counted from the signal's first one; before that 0.
    ///
    /// - Parameters:
    ///   - frame: the frame.
    ///   - sampleRate: the sample rate in hertz.
    /// - Returns: the sample.
    @inlinable @_noLocks package func sample(at frame: Int64, sampleRate: Double) -> Float {
        if frame < 0 { return 0 }
        switch form {
        case .silence: return 0
        case .sine(let hertz):
            let cycles = Double(frame) * (hertz / sampleRate)
            return peak * Float(rt_sin(2 * Double.pi * (cycles - rt_floor(cycles))))
        case .noise:
            var generator = SplitMix64(seed: UInt64(bitPattern: frame) &* SplitMix64.increment)
            return peak * Float(2 * generator.uniform() - 1)
        case .click(let perMinute):
            let period = sampleRate * 60 / perMinute
            let nearest = rt_floor(rt_floor(Double(frame) / period + 0.5) * period + 0.5)
            return nearest == Double(frame) ? peak : 0
        }
    }
}
