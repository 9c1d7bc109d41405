import Foundation

/// Beats at one tempo.
struct BeatGrid {
    let beats: [Double]

    init(sound: ShortSound, times: OnsetTimes, bpm: Double, isLoop: Bool) {
        let period = 60 / bpm
        let (real, imaginary) = times.spectrum(bpm / 60)
        var phase = atan2(imaginary, real) / (2 * .pi) * period
        // A loop starts on a beat, unless what sounds says otherwise by more than an early or late stroke.
        if isLoop, abs(phase) < 0.3 * period { phase = 0 }
        if phase < 0 { phase += period }
        if phase > period - 1e-6 { phase = 0 }
        beats = Array(stride(from: phase, to: sound.seconds - 1e-3, by: period))
    }
}
