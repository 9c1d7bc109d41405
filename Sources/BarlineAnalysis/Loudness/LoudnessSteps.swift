import Foundation

/// The energies of steps of sound whose loudness is known, and the loudness of them together: the mean of energies is
/// that of the sound, however it is divided.
struct LoudnessSteps {
    private var energies: [Double]
    private var next = 0
    private let frames: Int
    /// The frames that the step lacks.
    private(set) var framesLeft: Int

    /// ITU-R BS.1770: what is added to the level of an energy, in dB.
    private static let offset = -0.691

    /// Creates steps of silence.
    ///
    /// - Parameters:
    ///   - frames: the length of each.
    ///   - count: how many there are.
    init(frames: Int, count: Int) {
        self.frames = frames
        framesLeft = frames
        energies = Array(repeating: 0, count: count)
    }

    /// Passes frames, ``framesLeft`` at most.
    ///
    /// - Returns: whether a step is complete, so that ``end(loudness:)`` is due.
    mutating func pass(_ count: Int) -> Bool {
        framesLeft -= count
        if framesLeft > 0 { return false }
        framesLeft = frames
        return true
    }

    /// Puts a step in the place of the oldest one; its loudness is in LUFS.
    mutating func end(loudness: Double) {
        energies[next] = pow(10, (loudness - LoudnessSteps.offset) / 10)
        next = (next + 1) % energies.count
    }

    /// The loudness of all steps in LUFS; minus infinity for silence.
    var loudness: Double {
        let mean = energies.reduce(0, +) / Double(energies.count)
        return mean > 0 ? 10 * log10(mean) + LoudnessSteps.offset : -.infinity
    }
}
