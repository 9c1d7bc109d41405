/// A hit of a rhythm that chords are played to, in sixteenths of a bar.
struct ChordHit: Sendable {
    /// The sixteenth it falls on.
    let step: Int
    /// How many sixteenths it is held.
    let steps: Double
    /// How hard it is struck, from 0 to 1.
    let velocity: Double

    /// A hit given by its place in the bar, its length and its strength.
    init(_ step: Int, _ steps: Double, _ velocity: Double) {
        self.step = step
        self.steps = steps
        self.velocity = velocity
    }
}
