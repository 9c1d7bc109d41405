/// The mastering of a loop: its level and range once it has been painted.
struct Finish: Sendable {
    /// What lies below this, in hertz, is another track's to fill.
    let floor: Double
    /// How hard the loop is pushed into a soft clipper: 1 barely touches it.
    let drive: Double
    /// The peak it leaves with, in dBFS.
    let peak: Double

    /// Takes out what is too low, rounds off the peaks, centres the wave and sets the level.
    func apply(to canvas: inout LoopCanvas) {
        var filter = StereoFilter(rate: canvas.rate, cutoff: floor)
        canvas.process(settling: 0.5) { frame, _ in filter.high(frame) }
        scale(&canvas, toPeak: drive)
        for index in canvas.frames.indices {
            let frame = canvas.frames[index]
            canvas.frames[index] = StereoSample(Maths.softClip(frame.x), Maths.softClip(frame.y))
        }
        let mean = canvas.frames.reduce(StereoSample.zero, +) / Double(canvas.frames.count)
        for index in canvas.frames.indices { canvas.frames[index] -= mean }
        scale(&canvas, toPeak: Maths.gain(decibels: peak))
    }

    private func scale(_ canvas: inout LoopCanvas, toPeak target: Double) {
        let highest = canvas.frames.reduce(0) { max($0, abs($1.x), abs($1.y)) }
        guard highest > 0 else { return }
        let gain = target / highest
        for index in canvas.frames.indices { canvas.frames[index] *= gain }
    }
}
