extension Channel {
    /// The metronome. Soloing other channels does not silence it.
    public static let metronome = Channel.part(Part("metronome"))
}
