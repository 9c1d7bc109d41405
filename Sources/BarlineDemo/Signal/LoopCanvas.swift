import BarlineTime

/// A stereo sample: left in `x`, right in `y`.
typealias StereoSample = SIMD2<Double>

/// The circular buffer a loop is painted on: whatever runs past the end comes back in at the start.
///
/// Time on the canvas is that of the loop's own tempo, at which every frequency is what was written; at the session's
/// tempo it is played with its pitch kept.
struct LoopCanvas: Sendable {
    /// The frames painted so far.
    var frames: [StereoSample]
    /// The loop's length in beats.
    let beats: Int
    /// Frames to a second.
    let rate: Double
    /// Frames to a beat.
    let framesPerBeat: Double

    /// An empty canvas of `frameCount` frames holding `beats` beats at `tempo`.
    init(frameCount: Int, beats: Int, tempo: Double) {
        frames = Array(repeating: .zero, count: frameCount)
        self.beats = beats
        framesPerBeat = Double(frameCount) / Double(beats)
        rate = framesPerBeat / Tempo.seconds(of: 1, at: tempo)
    }

    /// An empty canvas of the same shape, for a send or a lane of its own.
    func blank() -> LoopCanvas {
        var copy = self
        copy.frames = Array(repeating: .zero, count: frames.count)
        return copy
    }

    /// The length of `beats` beats in seconds.
    func seconds(beats: Double) -> Double { beats * framesPerBeat / rate }

    /// The canvas position of any frame number, however far before or after the loop.
    func wrapped(_ frame: Int) -> Int {
        let remainder = frame % frames.count
        return remainder < 0 ? remainder + frames.count : remainder
    }

    /// Paints a mono voice, called once for each of its frames in order.
    @inline(__always)
    mutating func stamp(_ placement: Placement, seconds: Double, voice: () -> Double) {
        let gains = placement.gains
        stampStereo(placement, seconds: seconds) { gains * voice() }
    }

    /// Paints a voice that places itself in the stereo field; of the placement only the time is used.
    @inline(__always)
    mutating func stampStereo(_ placement: Placement, seconds: Double, voice: () -> StereoSample) {
        let start = Int((placement.beat * framesPerBeat + placement.nudge * rate).rounded())
        let length = max(1, Int(seconds * rate))
        // Without these a burst of noise would start with a click, and a voice still ringing would stop with one.
        let rise = Double(Int(0.000_4 * rate) + 1)
        let fade = Double(min(length, Int(0.006 * rate) + 1))
        var position = wrapped(start)
        for index in 0..<length {
            let edges = min(1, Double(index) / rise, Double(length - index) / fade)
            frames[position] += voice() * edges
            position += 1
            if position == frames.count { position = 0 }
        }
    }

    /// Adds another canvas of the same shape at a gain.
    mutating func add(_ other: LoopCanvas, gain: Double = 1) {
        for index in frames.indices {
            frames[index] += other.frames[index] * gain
        }
    }

    /// Runs a process with memory round the loop so that its state at the end is its state at the start.
    ///
    /// `settling` is how many seconds the process needs to forget; that much of the loop's end goes through it first.
    @inline(__always)
    mutating func process(settling: Double, _ body: (StereoSample, Int) -> StereoSample) {
        var output = frames
        var position = wrapped(-Int(settling * rate))
        for _ in 0..<Int(settling * rate) {
            _ = body(frames[position], position)
            position += 1
            if position == frames.count { position = 0 }
        }
        for index in frames.indices {
            output[index] = body(frames[index], index)
        }
        frames = output
    }
}
