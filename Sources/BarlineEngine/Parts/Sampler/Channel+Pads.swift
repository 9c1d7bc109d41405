extension Channel {
    /// The pads.
    public static let pads = Channel.part(Part("pads"))
}
