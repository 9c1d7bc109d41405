/// Slow changes over a whole bus, all of them whole cycles long so that they meet themselves at the seam.
enum Movement {
    /// Frames between looks at a moving cutoff: often enough to hear no steps, seldom enough to cost nothing.
    static let controlInterval = 16

    /// Sweeps a low-pass between two cutoffs and back, `cycles` times a loop, starting from the lower.
    static func sweepLowPass(
        _ canvas: inout LoopCanvas, from lowest: Double, to highest: Double, cycles: Int, quality: Double = 0.8
    ) {
        let octaves = Maths.log2(highest / lowest)
        let turn = Double(cycles) / Double(canvas.frames.count)
        var filter = StereoFilter(rate: canvas.rate, cutoff: lowest, quality: quality)
        canvas.process(settling: 0.1) { frame, index in
            if index % controlInterval == 0 {
                let height = 0.5 - 0.5 * Maths.cosine(turns: Double(index) * turn)
                filter.set(cutoff: lowest * Maths.octaves(octaves * height), quality: quality)
            }
            return filter.low(frame)
        }
    }

    /// Leans the sound from side to side, `cycles` times a loop.
    static func autoPan(_ canvas: inout LoopCanvas, cycles: Int, depth: Double) {
        let turn = Double(cycles) / Double(canvas.frames.count)
        for index in canvas.frames.indices {
            let lean = depth * Maths.sine(turns: Double(index) * turn)
            canvas.frames[index] *= StereoSample(1 - lean, 1 + lean)
        }
    }

    /// Ducks the sound on every beat and lets it swell back, as a compressor keyed by the kick would.
    static func pump(_ canvas: inout LoopCanvas, depth: Double) {
        for index in canvas.frames.indices {
            let place = Double(index) / canvas.framesPerBeat
            let part = place - place.rounded(.down)
            // Closing takes the last 3 % of the beat before, for a gain that jumps is a click.
            let opened = part > 0.97 ? Maths.smooth((1 - part) / 0.03) : Maths.smooth(part / 0.62)
            canvas.frames[index] *= 1 - depth * (1 - opened)
        }
    }

    /// Narrows the sound toward mono: 0 is mono, 1 leaves it as it is.
    static func narrow(_ canvas: inout LoopCanvas, to width: Double) {
        for index in canvas.frames.indices {
            let frame = canvas.frames[index]
            let middle = (frame.x + frame.y) / 2
            let side = (frame.x - frame.y) / 2 * width
            canvas.frames[index] = StereoSample(middle + side, middle - side)
        }
    }
}
