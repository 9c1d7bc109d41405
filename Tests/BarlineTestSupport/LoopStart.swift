import Foundation

/// What is heard where a loop starts, beside what is heard where it wraps.
///
/// The loop is the only sound of a render at 48 kHz, and its launch comes one bar of 120 BPM after it was asked for.
package enum LoopStart {
    /// Frames a second of the render.
    package static let rate = 48_000
    /// The frame on which the loop starts.
    package static let due = 96_000
    private static let window = 96

    /// The energy above 4 kHz of the window of 2 ms that begins at each frame.
    private static func treble(_ sound: WaveContents) -> [Double] {
        var filter = HighPass()
        var sums = [0.0]
        for frame in 0..<sound.frameCount {
            let sample = filter.next(sound.channels.reduce(0) { $0 + Double($1[frame]) })
            sums.append(sums[frame] + sample * sample)
        }
        return (0..<sums.count - window).map { sums[$0 + window] - sums[$0] }
    }

    /// What the start has that the loop has not: treble above that of its first cycle and of its median, or a step.
    ///
    /// - Parameters:
    ///   - sound: the render.
    ///   - cycle: the frame of the loop's first wrap.
    /// - Returns: what is wrong, in words; nothing where the start is clean.
    package static func faults(in sound: WaveContents, cycle: Int) -> [String] {
        var faults: [String] = []
        let treble = treble(sound)
        func loudest(around frame: Int) -> Double { treble[frame - 300..<frame + 300].max() ?? 0 }
        let playing = treble[due + 480..<cycle].sorted()
        let median = playing[playing.count / 2]
        let start = loudest(around: due)
        // -90 dB of full scale.
        let inaudible = Double(window) * 1e-9
        // A loop that has an attack on its first frame has it in every cycle, where the sound before it may cover it:
        // what a quarter of all that is played goes beyond is not heard on its own.
        let quarter = playing[playing.count * 3 / 4]
        if start > max(1.5 * loudest(around: cycle), 4 * median, quarter, inaudible) {
            faults.append("treble \(10 * log10(start / max(median, 1e-12))) dB over the median")
        }
        let channel = sound.channels[0]
        func step(around frame: Int) -> Float {
            (frame - 300..<frame + 300).map { abs(channel[$0] - channel[$0 - 1]) }.max() ?? 0
        }
        // A wrap may lie between two frames, where a wave is met elsewhere.
        if step(around: due) > 1.25 * step(around: cycle) + 1 / 240 { faults.append("a step of \(step(around: due))") }
        return faults
    }
}

/// A Butterworth high-pass of fourth order at 4 kHz, for 48 kHz.
private struct HighPass {
    private struct Section {
        let damping: Double
        private let slope = tan(Double.pi * 4_000 / 48_000)
        private var inputs = [0.0, 0.0]
        private var outputs = [0.0, 0.0]

        init(damping: Double) { self.damping = damping }

        mutating func next(_ input: Double) -> Double {
            let forward: Double = input - 2 * inputs[0] + inputs[1]
            let back: Double = 2 * (slope * slope - 1) * outputs[0]
            let farther: Double = (1 - damping * slope + slope * slope) * outputs[1]
            let output: Double = (forward - back - farther) / (1 + damping * slope + slope * slope)
            inputs = [input, inputs[0]]
            outputs = [output, outputs[0]]
            return output
        }
    }

    private var first = Section(damping: 0.765_367)
    private var second = Section(damping: 1.847_759)

    mutating func next(_ input: Double) -> Double { second.next(first.next(input)) }
}
