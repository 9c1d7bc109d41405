import Foundation

/// Beats and frames, worked out apart from the engine: stretches of constant tempo and of tempo that is linear in
/// beats.
package struct TempoModel {
    private struct Stretch {
        let frame: Double
        let beat: Double
        let from: Double
        let to: Double
        let ramp: Double
    }

    private let framesPerMinute: Double
    private var stretches: [Stretch]

    package init(bpm: Double, beat: Double, sampleRate: Double) {
        framesPerMinute = 60 * sampleRate
        stretches = [Stretch(frame: 0, beat: beat, from: bpm, to: bpm, ramp: 0)]
    }

    /// Changes the tempo at `frame`, over `ramp` beats.
    package mutating func change(at frame: Int, to bpm: Double, over ramp: Double = 0) {
        let beat = beat(at: Double(frame))
        stretches.append(
            Stretch(frame: Double(frame), beat: beat, from: ramp > 0 ? self.bpm(at: beat) : bpm, to: bpm, ramp: ramp))
    }

    /// The tempo at a beat.
    package func bpm(at beat: Double) -> Double {
        let stretch = stretches.last { $0.beat <= beat } ?? stretches[0]
        let share = stretch.ramp > 0 ? min(1, (beat - stretch.beat) / stretch.ramp) : 1
        return stretch.from + share * (stretch.to - stretch.from)
    }

    /// The frame of a beat, not rounded.
    package func frame(of beat: Double) -> Double {
        let stretch = stretches.last { $0.beat <= beat } ?? stretches[0]
        return stretch.frame + frames(in: stretch, beats: beat - stretch.beat)
    }

    /// The beat at a frame: the beat whose frame it is, found by halving.
    package func beat(at frame: Double) -> Double {
        let stretch = stretches.last { $0.frame <= frame } ?? stretches[0]
        var low = 0.0
        var high = max(1, (frame - stretch.frame) * 1000 / framesPerMinute)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if stretch.frame + frames(in: stretch, beats: middle) <= frame { low = middle } else { high = middle }
        }
        return stretch.beat + low
    }

    /// The frames that the first `beats` beats of a stretch take: the sum of 1 / tempo over them.
    private func frames(in stretch: Stretch, beats: Double) -> Double {
        let ramped = min(beats, stretch.ramp)
        var minutes = max(0, beats - stretch.ramp) / stretch.to
        if ramped > 0, stretch.from != stretch.to {
            let slope = (stretch.to - stretch.from) / stretch.ramp
            minutes += log((stretch.from + slope * ramped) / stretch.from) / slope
        } else {
            minutes += ramped / stretch.to
        }
        return minutes * framesPerMinute
    }
}
