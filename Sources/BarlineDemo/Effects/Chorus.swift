/// Two slowly moving copies of a sound, one to each side, a quarter of a cycle apart.
struct Chorus: Sendable {
    /// Whole cycles of movement to a loop: a fraction would leave a step at the seam.
    var cycles = 4
    /// The middle of the delay, in seconds.
    var delay = 0.011
    /// How far the delay moves either way, in seconds.
    var depth = 0.0022
    /// The level of the copies beside the original.
    var mix = 0.5

    /// Adds the copies. Reading round the loop rather than from a delay line, it needs no settling.
    func apply(to canvas: inout LoopCanvas) {
        let dry = canvas.frames
        let count = dry.count
        let turn = Double(cycles) / Double(count)
        for index in 0..<count {
            let phase = Double(index) * turn
            let left = (delay + depth * Maths.sine(turns: phase)) * canvas.rate
            let right = (delay + depth * Maths.cosine(turns: phase)) * canvas.rate
            let copies = StereoSample(
                read(dry, Double(index) - left).x,
                read(dry, Double(index) - right).y
            )
            canvas.frames[index] = dry[index] + copies * mix
        }
    }

    private func read(_ frames: [StereoSample], _ position: Double) -> StereoSample {
        let wrapped = position < 0 ? position + Double(frames.count) : position
        let first = min(Int(wrapped), frames.count - 1)
        let second = first + 1 == frames.count ? 0 : first + 1
        let part = wrapped - Double(first)
        return frames[first] + (frames[second] - frames[first]) * part
    }
}
