/// The rhythm that is detected in the region of a clip, in frames of its source.
struct ClipRhythm: Sendable {
    /// Where beats are.
    var beats: [Double] = []
    /// Which of them begin bars.
    var downbeats: [Double] = []
    /// Where attacks begin.
    var attacks: [Int] = []
}
