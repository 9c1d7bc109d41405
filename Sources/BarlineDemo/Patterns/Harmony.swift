/// A chord as the parts share it.
struct Chord: Sendable {
    /// The bass's root, as a MIDI note number.
    let root: Int
    /// The note the bass may slip in before the next chord.
    let approach: Int
    /// The voicing of the keys and pads, low to high.
    let voicing: [Int]
    /// The notes of A minor pentatonic that suit the chord, for arpeggios.
    let ladder: [Int]
}

/// The two progressions of the set, one chord to a bar.
///
/// Both stay within C major and A minor, and bar by bar neither makes the other sound wrong, so that parts of different
/// scenes can be mixed.
enum Harmony {
    /// Am7, Fmaj7, Cadd9, G6: intro, groove and lift. An E rings through all four.
    static let verse: [Chord] = [
        Chord(root: 33, approach: 31, voicing: [57, 60, 64, 67], ladder: [69, 72, 76, 79, 81, 84]),
        Chord(root: 29, approach: 31, voicing: [53, 57, 60, 64], ladder: [69, 72, 76, 81, 84, 88]),
        Chord(root: 36, approach: 33, voicing: [55, 60, 62, 64], ladder: [67, 72, 74, 76, 79, 84]),
        Chord(root: 31, approach: 28, voicing: [55, 59, 62, 64], ladder: [67, 69, 74, 76, 79, 81]),
    ]

    /// Fmaj7, G6, Am7, Em7: the break.
    static let bridge: [Chord] = [
        Chord(root: 29, approach: 31, voicing: [53, 57, 60, 64], ladder: [69, 72, 76, 79, 81, 84]),
        Chord(root: 31, approach: 33, voicing: [55, 59, 62, 64], ladder: [67, 69, 74, 76, 79, 81]),
        Chord(root: 33, approach: 31, voicing: [57, 60, 64, 67], ladder: [69, 72, 76, 79, 81, 84]),
        Chord(root: 28, approach: 28, voicing: [55, 59, 62, 64], ladder: [67, 69, 74, 76, 79, 81]),
    ]
}
