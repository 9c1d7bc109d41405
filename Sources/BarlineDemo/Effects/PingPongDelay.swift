/// An echo in time with the beat whose repeats change sides and darken as they fade.
struct PingPongDelay: Sendable {
    /// The time between repeats, in beats.
    var beats = 0.75
    /// How much of each repeat comes back.
    var feedback = 0.4
    /// The level of the repeats beside the original.
    var mix = 0.3
    /// Where the repeats lose their top, in hertz.
    var tone = 3_500.0
    /// Where they lose their bottom, so that they never cloud the low end.
    var floor = 300.0

    /// Adds the repeats, those of the loop's end falling on its start.
    func apply(to canvas: inout LoopCanvas) {
        let length = max(1, Int((beats * canvas.framesPerBeat).rounded()))
        var line = [StereoSample](repeating: .zero, count: length)
        var position = 0
        var top = StereoFilter(rate: canvas.rate, cutoff: tone, quality: 0.6)
        var bottom = StereoFilter(rate: canvas.rate, cutoff: floor, quality: 0.6)
        let level = mix
        let back = feedback
        canvas.process(settling: settling(on: canvas)) { dry, _ in
            let echo = line[position]
            // The sum enters on the left alone and crosses over on each pass; that is what makes it alternate.
            let entering = StereoSample((dry.x + dry.y) * 0.5 + echo.y * back, echo.x * back)
            line[position] = bottom.high(top.low(entering))
            position += 1
            if position == length { position = 0 }
            return dry + echo * level
        }
    }

    /// Until the repeats have fallen by 100 dB.
    private func settling(on canvas: LoopCanvas) -> Double {
        var repeats = 1.0
        var level = 1.0
        while level > 0.000_01 {
            level *= min(0.9, feedback)
            repeats += 1
        }
        return repeats * canvas.seconds(beats: beats)
    }
}
