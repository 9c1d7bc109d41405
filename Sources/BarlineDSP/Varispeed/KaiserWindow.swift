import CRealtime

/// The Kaiser window (J. F. Kaiser, 1974), tabulated: its Bessel function is too slow to evaluate a million times.
struct KaiserWindow {
    private let intervals: Int
    // Indexed by the square of the distance, in which the window is smooth everywhere.
    private let values: [Double]

    /// Tabulates the window of shape `beta` at `intervals` + 1 places, accurate to within 10⁻⁷ by default: the error falls
    /// with their square.
    init(beta: Double, intervals: Int = 16_384) {
        let peak = KaiserWindow.bessel(beta)
        self.intervals = intervals
        values = (0...intervals).map { index in
            let square = Double(index) / Double(intervals)
            return KaiserWindow.bessel(beta * rt_sqrt(1 - square)) / peak
        }
    }

    /// The window at `relative`, −1 … 1.
    func value(at relative: Double) -> Double {
        let place = relative * relative * Double(intervals)
        let index = min(Int(place), intervals - 1)
        return values[index] + (place - Double(index)) * (values[index + 1] - values[index])
    }

    /// The modified Bessel function of the first kind of order 0, by its power series.
    private static func bessel(_ x: Double) -> Double {
        var sum = 1.0
        var term = 1.0
        var index = 1.0
        while term > sum * 1e-17 {
            term *= (x / 2 / index) * (x / 2 / index)
            sum += term
            index += 1
        }
        return sum
    }
}
