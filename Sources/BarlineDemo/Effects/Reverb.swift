/// A room: eight delay lines that feed each other through a reflection, losing their top as they go.
struct Reverb: Sendable {
    /// Seconds for the tail to fall by 60 dB.
    var time = 1.2
    /// Scales the lengths of the lines, and with them the room.
    var size = 1.0
    /// Where the tail loses its top, in hertz.
    var tone = 5_000.0
    /// Seconds before the first reflection.
    var predelay = 0.012

    /// Turns a canvas holding a send into the room's answer to it.
    func replace(_ canvas: inout LoopCanvas) {
        // Primes, in milliseconds: lines with common factors would ring at them.
        let milliseconds: [Double] = [23, 29, 31, 37, 41, 43, 47, 53]
        let lengths = milliseconds.map { max(1, Int($0 * 0.001 * size * canvas.rate)) }
        let starts = lengths.indices.map { lengths[..<$0].reduce(0, +) }
        var memory = [Double](repeating: 0, count: lengths.reduce(0, +))
        var heads = [Int](repeating: 0, count: 8)
        var gains = SIMD8<Double>.zero
        for index in 0..<8 {
            gains[index] = Maths.gain(decibels: -60 * Double(lengths[index]) / canvas.rate / time)
        }
        let damping = 1 - Maths.exponential(-2 * Double.pi * tone / canvas.rate)
        var damped = SIMD8<Double>.zero
        let early = Int(predelay * canvas.rate)
        let source = canvas
        canvas.process(settling: time * 2) { _, index in
            let input = source.frames[source.wrapped(index - early)]
            var lines = SIMD8<Double>.zero
            for line in 0..<8 { lines[line] = memory[starts[line] + heads[line]] }
            damped += (lines - damped) * damping
            let fed = damped * gains
            let reflected = fed - fed.sum() * 0.25
            for line in 0..<8 {
                memory[starts[line] + heads[line]] = reflected[line] + (line & 1 == 0 ? input.x : input.y)
                heads[line] += 1
                if heads[line] == lengths[line] { heads[line] = 0 }
            }
            let left = lines[0] - lines[2] + lines[4] - lines[6]
            let right = lines[1] - lines[3] + lines[5] - lines[7]
            return StereoSample(left, right) * 0.35
        }
    }

    /// Adds the room to a canvas that is also its source.
    func apply(to canvas: inout LoopCanvas, mix: Double) {
        var room = canvas
        replace(&room)
        canvas.add(room, gain: mix)
    }
}
