/// A note of a line, in beats.
struct NoteEvent: Sendable {
    /// When it starts.
    let beat: Double
    /// How long it is held.
    let beats: Double
    /// Its MIDI note number.
    let pitch: Int
    /// How hard it is struck, from 0 to 1.
    let velocity: Double

    /// A note given by its place in the loop and its strength.
    init(_ beat: Double, _ pitch: Int, for beats: Double, at velocity: Double) {
        self.beat = beat
        self.pitch = pitch
        self.beats = beats
        self.velocity = velocity
    }
}
